import { Button, Group, MultiSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { TagsField } from '../../ui/tags-field';
import { itemsTexts } from './items.texts';
import { useCollections, useTagCounts, type ItemRecord } from './queries';

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value) => other.includes(value));

/** Changes how the item is called and where it is found. Only what was changed is sent. */
export function EditForm({ item, onDone }: { readonly item: ItemRecord; readonly onDone: () => void }) {
  const say = useTexts(itemsTexts);
  const { oid } = useOrg();
  const queries = useQueryClient();
  const collections = useCollections(oid);
  const tagCounts = useTagCounts(oid);
  const [name, setName] = useState(item.name ?? '');
  const [description, setDescription] = useState(item.description ?? '');
  const [tags, setTags] = useState([...(item.tags ?? [])]);
  const [collectionIds, setCollectionIds] = useState([...(item.collectionIds ?? [])]);
  const [isBusy, setBusy] = useState(false);
  const changes: Schemas['UpdateCrawl'] = {
    ...(name !== (item.name ?? '') ? { name } : {}),
    ...(description !== (item.description ?? '') ? { description } : {}),
    ...(isSame(tags, item.tags ?? []) ? {} : { tags }),
    ...(isSame(collectionIds, item.collectionIds ?? []) ? {} : { collectionIds }),
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (Object.keys(changes).length === 0) return onDone();
    setBusy(true);
    try {
      const params = { path: { oid, crawl_id: item.id } };
      await client.PATCH('/api/orgs/{oid}/all-crawls/{crawl_id}', { params, body: changes });
      await queries.invalidateQueries();
      notifyDone(say('saved'));
      onDone();
    } catch (error) {
      notifyProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <TextInput
          data-autofocus
          label={say('name')}
          dir="auto"
          placeholder={item.firstSeed ?? undefined}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label={say('description')}
          dir="auto"
          autosize
          minRows={3}
          maxRows={14}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <TagsField
          label={say('tags')}
          data={(tagCounts.data?.tags ?? []).map(({ tag }) => tag)}
          value={tags}
          onChange={setTags}
          acceptValueOnBlur
        />
        <MultiSelect
          label={say('collections')}
          data={(collections.data?.items ?? []).map(({ id, name: called }) => ({ value: id, label: called }))}
          searchable
          limit={60}
          value={collectionIds}
          onChange={setCollectionIds}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {say('cancel')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {say('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
