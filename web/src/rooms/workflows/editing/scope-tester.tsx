import { Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts';
import { addressOf } from './addresses';
import type { Draft } from './draft';
import { editingTexts } from './editing.texts';
import { reasonOf } from './field-words';
import { judge } from './scope-rules';

/** Tells whether an address would be crawled, and by which rule. */
export function ScopeTester({ draft }: { readonly draft: Draft }) {
  const say = useTexts(editingTexts);
  const [typed, setTyped] = useState('');
  const address = typed.trim() === '' ? null : (addressOf(typed) ?? typed);
  const verdict = address === null ? null : judge(draft, address);
  const Icon = verdict?.isCrawled ? IconCheck : IconX;
  return (
    <Paper withBorder p="sm" radius="sm" bg="var(--mantine-color-default-hover)">
      <Stack gap="xs">
        <TextInput
          label={say('tester')}
          placeholder="https://example.org/news/1"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          spellCheck={false}
        />
        <Group gap={6} wrap="nowrap" aria-live="polite" align="flex-start" mih={verdict ? undefined : 0}>
          {verdict && (
            <>
              <Icon size={18} aria-hidden color={`var(--mantine-color-${verdict.isCrawled ? 'green' : 'red'}-6)`} />
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <b>{say(verdict.isCrawled ? 'crawled' : 'notCrawled')}</b> {reasonOf(say, verdict)}
              </Text>
            </>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
