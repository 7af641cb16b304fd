import { ActionIcon, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { client } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { editingTexts } from './editing.texts';
import { sentenceOfEditing } from './field-errors';
import type { SectionProps } from './parts';

/** Addresses of scripts that run on each page; each is looked at when it is typed. */
export function CustomBehaviors({ form, oid }: SectionProps & { readonly oid: string }) {
  const say = useTexts(editingTexts);
  const { customBehaviors } = form.getValues();
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const change = (values: string[]): void => form.setFieldValue('customBehaviors', values);
  const check = async (address: string): Promise<void> => {
    if (!address) return;
    const path = '/api/orgs/{oid}/crawlconfigs/validate/custom-behavior';
    const problem = await client
      .POST(path, { params: { path: { oid } }, body: { customBehavior: address } })
      .then(() => '', sentenceOfEditing);
    setProblems((before) => ({ ...before, [address]: problem }));
  };
  return (
    <Box role="group" aria-label={say('customBehaviors')}>
      <Text size="sm" fw={500}>
        {say('customBehaviors')}
      </Text>
      <Text size="xs" c="dimmed" mb={6}>
        {say('customBehaviorsText')}
      </Text>
      <Stack gap={6}>
        {customBehaviors.map((address, at) => (
          <Group key={at} gap={6} wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={`${say('customBehaviors')} ${String(at + 1)}`}
              placeholder="https://example.org/behavior.js"
              value={address}
              error={problems[address]}
              onChange={(event) => {
                const { value } = event.currentTarget;
                change(customBehaviors.map((one, i) => (i === at ? value : one)));
              }}
              onBlur={() => void check(address)}
              spellCheck={false}
              flex={1}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              mt={4}
              aria-label={say('removePattern', { name: address || String(at + 1) })}
              onClick={() => change(customBehaviors.filter((_, i) => i !== at))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      {form.errors['customBehaviors'] && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={4}>
          {form.errors['customBehaviors']}
        </Text>
      )}
      <Button
        mt={6}
        size="compact-sm"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => change([...customBehaviors, ''])}
      >
        {say('addBehavior')}
      </Button>
    </Box>
  );
}
