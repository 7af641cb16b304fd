import { Button, Group, Select, Stack } from '@mantine/core';
import { IconFolderPlus, IconTag, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Dialog } from '../../ui/dialogs';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { TagsField } from '../../ui/tags-field';
import { useDeleteItems } from './delete-items';
import { itemsTexts } from './items.texts';
import { useCollections, useTagCounts, type Item } from './queries';

interface BulkProps {
  readonly items: readonly Item[];
  readonly onDone: () => void;
}

/** What can be done with the items that are selected in the list. */
export function BulkActions({ items, onDone }: BulkProps) {
  const say = useTexts(itemsTexts);
  const [open, setOpen] = useState<'collection' | 'tags' | null>(null);
  const deleteItems = useDeleteItems();
  const close = (isDone: boolean): void => {
    setOpen(null);
    if (isDone) onDone();
  };
  const button = (label: string, icon: ReactNode, onClick: () => void, color?: string) => (
    <Button size="compact-sm" variant="default" c={color} leftSection={icon} onClick={onClick}>
      {label}
    </Button>
  );
  return (
    <>
      {button(say('addToCollection'), <IconFolderPlus size={14} aria-hidden />, () => setOpen('collection'))}
      {button(say('addTags'), <IconTag size={14} aria-hidden />, () => setOpen('tags'))}
      {button(
        say('delete'),
        <IconTrash size={14} aria-hidden />,
        () => void deleteItems(items).then((isDeleted) => isDeleted && onDone()),
        'red',
      )}
      {open === 'collection' && <CollectionModal items={items} onClose={close} />}
      {open === 'tags' && <TagsModal items={items} onClose={close} />}
    </>
  );
}

interface ModalProps {
  readonly items: readonly Item[];
  readonly onClose: (isDone: boolean) => void;
}

function CollectionModal({ items, onClose }: ModalProps) {
  const say = useTexts(itemsTexts);
  const { oid } = useOrg();
  const { data } = useCollections(oid);
  const [id, setId] = useState<string | null>(null);
  const name = data?.items.find((one) => one.id === id)?.name ?? '';
  const add = async (): Promise<void> => {
    const params = { path: { oid, coll_id: id ?? '' } };
    await client.POST('/api/orgs/{oid}/collections/{coll_id}/add', {
      params,
      body: { crawlIds: items.map((item) => item.id) },
    });
    notifyDone(say('added', { count: items.length, name }));
  };
  return (
    <BulkModal title={say('addToCollection')} isReady={id !== null} work={add} onClose={onClose}>
      <Select
        data-autofocus
        label={say('collection')}
        data={(data?.items ?? []).map((one) => ({ value: one.id, label: one.name }))}
        searchable
        limit={60}
        value={id}
        onChange={setId}
      />
    </BulkModal>
  );
}

function TagsModal({ items, onClose }: ModalProps) {
  const say = useTexts(itemsTexts);
  const { oid } = useOrg();
  const { data } = useTagCounts(oid);
  const [tags, setTags] = useState<string[]>([]);
  const add = async (): Promise<void> => {
    for (const item of items) {
      const all = [...new Set([...(item.tags ?? []), ...tags])];
      const params = { path: { oid, crawl_id: item.id } };
      await client.PATCH('/api/orgs/{oid}/all-crawls/{crawl_id}', { params, body: { tags: all } });
    }
    notifyDone(say('tagged', { count: items.length }));
  };
  return (
    <BulkModal title={say('addTags')} isReady={tags.length > 0} work={add} onClose={onClose}>
      <TagsField
        data-autofocus
        label={say('tags')}
        data={(data?.tags ?? []).map(({ tag }) => tag)}
        value={tags}
        onChange={setTags}
        acceptValueOnBlur
      />
    </BulkModal>
  );
}

interface BulkModalProps {
  readonly title: string;
  readonly isReady: boolean;
  readonly work: () => Promise<void>;
  readonly onClose: (isDone: boolean) => void;
  readonly children: ReactNode;
}
function BulkModal({ title, isReady, work, onClose, children }: BulkModalProps) {
  const say = useTexts(itemsTexts);
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await work();
      await queries.invalidateQueries();
      onClose(true);
    } catch (error) {
      notifyProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog onClose={() => onClose(false)} title={title}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onClose(false)}>
              {say('cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={!isReady}>
              {say('add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
