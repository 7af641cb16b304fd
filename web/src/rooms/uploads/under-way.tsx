import { ActionIcon, Alert, Button, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts, type Say } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { duration, useBytes } from '../../ui/format';
import { sentenceOf } from '../../ui/problems';
import type { Transfer } from './transfer';
import { transfers } from './transfers';
import { uploadsTexts } from './uploads.texts';

/** The files of this visit: how far each has come, and what can be done about it. */
export function UnderWay({ shown }: { readonly shown: readonly Transfer[] }) {
  const say = useTexts(uploadsTexts);
  if (shown.length === 0) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Title order={2}>{say('underWay')}</Title>
        {shown.map((transfer) => (
          <Row key={transfer.id} transfer={transfer} />
        ))}
      </Stack>
    </Paper>
  );
}

const COLORS: Partial<Record<Transfer['state'], string>> = { failed: 'red', done: 'green', paused: 'gray' };

function Row({ transfer }: { readonly transfer: Transfer }) {
  const say = useTexts(uploadsTexts);
  const { name, size, sent, state, problem } = transfer;
  const text = useProgressText(transfer);
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="sm" fw={500} truncate dir="auto">
          {name}
        </Text>
        <Group gap={4} wrap="nowrap">
          <Actions transfer={transfer} />
        </Group>
      </Group>
      <Progress
        value={size > 0 ? (sent / size) * 100 : 0}
        color={COLORS[state]}
        animated={state === 'sending'}
        aria-label={say('progress', { name })}
      />
      {state === 'failed' ? (
        <Alert color="red" variant="light" role="alert" p="xs" mt={6}>
          {sentenceOf(problem)}
        </Alert>
      ) : (
        <Text size="sm" c="dimmed" mt={4}>
          {text}
        </Text>
      )}
    </div>
  );
}

function useProgressText({ state, sent, size, speed }: Transfer): string {
  const say = useTexts(uploadsTexts);
  const bytes = useBytes();
  const parts = [say('sent', { sent: bytes(sent), size: bytes(size) })];
  const word = wordOf(state, say);
  if (word) parts.push(word);
  if (state === 'sending' && speed !== null && speed > 0) {
    parts.push(say('speed', { speed: bytes(speed) }), say('left', { time: duration((size - sent) / speed) }));
  }
  return parts.join(' · ');
}

function wordOf(state: Transfer['state'], say: Say<keyof typeof uploadsTexts.english>): string | null {
  return state === 'sending' || state === 'failed' ? null : say(state);
}

function Actions({ transfer }: { readonly transfer: Transfer }) {
  const say = useTexts(uploadsTexts);
  const { slug } = useOrg();
  const ask = useConfirm();
  const { id, name, state, itemId } = transfer;
  const discard = async (): Promise<void> => {
    const text = say('discardText', { name });
    const question = { title: say('discardTitle'), text, action: say('discardAction'), isDestructive: true };
    if (await ask(question)) await transfers.discard(id);
  };
  if (state === 'done')
    return (
      <>
        <Button component={Link} to={`/o/${slug}/items/${itemId ?? ''}`} size="compact-sm" variant="light">
          {say('open')}
        </Button>
        <Act label={say('dismiss', { name })} onClick={() => transfers.dismiss(id)} icon={<IconX size={18} />} />
      </>
    );
  return (
    <>
      {(state === 'sending' || state === 'retrying') && (
        <Act label={say('pause', { name })} onClick={() => transfers.pause(id)} icon={<IconPlayerPause size={18} />} />
      )}
      {state === 'paused' && (
        <Act label={say('resume', { name })} onClick={() => transfers.resume(id)} icon={<IconPlayerPlay size={18} />} />
      )}
      {state === 'failed' && (
        <Act label={say('retry', { name })} onClick={() => transfers.resume(id)} icon={<IconRefresh size={18} />} />
      )}
      <Act label={say('discard', { name })} onClick={() => void discard()} icon={<IconTrash size={18} />} />
    </>
  );
}

interface ActProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly icon: ReactNode;
}
const Act = ({ label, onClick, icon }: ActProps) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} onClick={onClick}>
    {icon}
  </ActionIcon>
);
