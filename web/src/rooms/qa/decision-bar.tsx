import { ActionIcon, Anchor, Box, Button, Group, Kbd, Modal, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCheck, IconNote, IconTrash, IconX } from '@tabler/icons-react';
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { useTexts } from '../../i18n/texts';
import { When } from '../../ui/format';
import { notifyProblem } from '../../ui/problems';
import { uiTexts } from '../../ui/ui.texts';
import type { QaPageRow, useReviewing } from './queries';
import { qaTexts } from './qa.texts';
import type { Walk } from './walk';

type Reviewing = ReturnType<typeof useReviewing>;

interface DecisionBarProps {
  readonly page: QaPageRow;
  readonly walk: Walk;
  readonly isNoting: boolean;
  readonly onNote: (isOpen: boolean) => void;
  readonly onDecide: (approved: boolean | null) => void;
  readonly reviewing: Reviewing;
}

/** The page's name, the way on, and what the reviewer says of it. */
export function DecisionBar({ page, walk, isNoting, onNote, onDecide, reviewing }: DecisionBarProps) {
  const say = useTexts(qaTexts);
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Box style={{ minWidth: 0 }}>
            <Title order={2} dir="auto" lineClamp={2}>
              {page.title || page.url}
            </Title>
            <Anchor href={page.url} target="_blank" rel="noreferrer noopener" size="sm" lineClamp={1}>
              {page.url}
            </Anchor>
          </Box>
          <Group gap={6} wrap="nowrap">
            {walk.position !== null && (
              <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }} role="status">
                {say('position', { position: walk.position, total: walk.total })}
              </Text>
            )}
            <ActionIcon
              variant="default"
              aria-label={say('previous')}
              disabled={!walk.hasPrevious}
              onClick={walk.previous}
            >
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon variant="default" aria-label={say('next')} disabled={!walk.hasNext} onClick={walk.next}>
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
        <Group gap="xs">
          <Button
            size="xs"
            color="green"
            variant={page.approved === true ? 'filled' : 'default'}
            aria-pressed={page.approved === true}
            leftSection={<IconCheck size={16} aria-hidden />}
            onClick={() => onDecide(page.approved === true ? null : true)}
          >
            {say(page.approved === true ? 'approved' : 'approve')}
          </Button>
          <Button
            size="xs"
            color="red.9"
            variant={page.approved === false ? 'filled' : 'default'}
            aria-pressed={page.approved === false}
            leftSection={<IconX size={16} aria-hidden />}
            onClick={() => onDecide(page.approved === false ? null : false)}
          >
            {say(page.approved === false ? 'rejected' : 'reject')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconNote size={16} aria-hidden />}
            onClick={() => onNote(true)}
          >
            {say('addNote')}
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="md" component="div">
            <Kbd size="xs">y</Kbd> <Kbd size="xs">n</Kbd> <Kbd size="xs">u</Kbd> <Kbd size="xs">c</Kbd>{' '}
            <Kbd size="xs">j</Kbd> <Kbd size="xs">k</Kbd>
          </Text>
        </Group>
        <Notes page={page} reviewing={reviewing} />
      </Stack>
      {isNoting && <NoteDialog page={page} reviewing={reviewing} onClose={() => onNote(false)} />}
    </Paper>
  );
}

function Notes({ page, reviewing }: { readonly page: QaPageRow; readonly reviewing: Reviewing }) {
  const say = useTexts(qaTexts);
  const notes = page.notes ?? [];
  if (notes.length === 0) return null;
  return (
    <Stack gap={6} component="ul" m={0} p={0} aria-label={say('notes')} style={{ listStyle: 'none' }}>
      {notes.map((note) => (
        <Group key={note.id} component="li" justify="space-between" wrap="nowrap" gap="sm">
          <Box style={{ minWidth: 0 }}>
            <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {note.text}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              {note.userName}, <When at={note.created} />
            </Text>
          </Box>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={say('deleteNote')}
            onClick={() => void reviewing.removeNote(page.id, note.id).catch(notifyProblem)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}

interface NoteDialogProps {
  readonly page: QaPageRow;
  readonly reviewing: Reviewing;
  readonly onClose: () => void;
}
function NoteDialog({ page, reviewing, onClose }: NoteDialogProps) {
  const say = useTexts(qaTexts);
  const sayUi = useTexts(uiTexts);
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    if (text.trim() === '') return;
    setBusy(true);
    await reviewing.note(page.id, text.trim()).then(onClose, notifyProblem);
    setBusy(false);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
  };
  return (
    <Modal opened onClose={onClose} title={say('addNote')} closeButtonProps={{ 'aria-label': sayUi('close') }}>
      <form onSubmit={submit}>
        <Stack>
          <Textarea
            data-autofocus
            label={say('note')}
            description={say('noteText')}
            value={text}
            maxLength={5000}
            autosize
            minRows={3}
            dir="auto"
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={press}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {sayUi('cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={text.trim() === ''}>
              {say('saveNote')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
