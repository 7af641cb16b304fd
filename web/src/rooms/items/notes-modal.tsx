import { ActionIcon, Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Dialog } from '../../ui/dialogs';
import { When } from '../../ui/format';
import { notifyProblem } from '../../ui/problems';
import { itemsTexts } from './items.texts';
import type { ArchivedPage } from './queries';

/** Characters of a note that the API takes. */
const LONGEST = 5000;

/** The notes on one page of a crawl. */
export function NotesModal({ page, onClose }: { readonly page: ArchivedPage; readonly onClose: () => void }) {
  const say = useTexts(itemsTexts);
  const { oid, canCrawl } = useOrg();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const params = { path: { oid, crawl_id: page.crawl_id, page_id: page.id } };
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      await queries.invalidateQueries();
    } catch (error) {
      notifyProblem(error);
    }
  };
  const add = (event: FormEvent): void => {
    event.preventDefault();
    void run(async () => {
      await client.POST('/api/orgs/{oid}/crawls/{crawl_id}/pages/{page_id}/notes', {
        params,
        body: { text: text.trim() },
      });
      setText('');
    });
  };
  const remove = (id: string): void =>
    void run(() =>
      client.POST('/api/orgs/{oid}/crawls/{crawl_id}/pages/{page_id}/notes/delete', {
        params,
        body: { delete_list: [id] },
      }),
    );
  return (
    <Dialog onClose={onClose} title={say('notesOf', { name: page.title || page.url })}>
      <Stack>
        {(page.notes ?? []).length === 0 && (
          <Text size="sm" c="dimmed">
            {say('noNotes')}
          </Text>
        )}
        {page.notes?.map((note) => (
          <Paper key={note.id} withBorder p="sm">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {note.text}
              </Text>
              {canCrawl && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={say('deleteNote')}
                  onClick={() => remove(note.id)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              )}
            </Group>
            <Text size="xs" c="dimmed" mt={4}>
              <bdi>{note.userName}</bdi>, <When at={note.created} />
            </Text>
          </Paper>
        ))}
        {canCrawl && (
          <form onSubmit={add}>
            <Stack gap="xs">
              <Textarea
                data-autofocus
                label={say('newNote')}
                dir="auto"
                autosize
                minRows={2}
                maxLength={LONGEST}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
              <Group justify="flex-end">
                <Button type="submit" disabled={!text.trim()}>
                  {say('addNote')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </Stack>
    </Dialog>
  );
}
