import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Dialog } from '../../ui/dialogs';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { collectionsTexts } from './collections.texts';
import { useReread } from './queries';
import { ACCESSES, type Access } from './collection-search';

/** Asks for a name and who sees it; then the person is in the new collection. */
export function CreateCollection({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(collectionsTexts);
  const { oid, slug } = useOrg();
  const navigate = useNavigate();
  const reread = useReread();
  const [access, setAccess] = useState<Access>('private');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const name = String(data.get('name')).trim();
    const caption = String(data.get('caption')).trim();
    if (!name) return;
    setBusy(true);
    try {
      const { data: made } = await client.POST('/api/orgs/{oid}/collections', {
        params: { path: { oid } },
        body: { name, access, ...(caption ? { caption } : {}) },
      });
      await reread();
      notifyDone(say('created', { name }));
      onClose();
      if (made) void navigate({ to: `/o/${slug}/collections/${made.id}`, search: { tab: 'items' } as never });
    } catch (error) {
      notifyProblem(error);
      setBusy(false);
    }
  };
  return (
    <Dialog onClose={onClose} title={say('create')}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <TextInput name="name" label={say('name')} required maxLength={80} data-autofocus dir="auto" />
          <TextInput
            name="caption"
            label={say('caption')}
            description={say('captionHint')}
            maxLength={1000}
            dir="auto"
          />
          <div>
            <Select
              label={say('access')}
              allowDeselect={false}
              value={access}
              onChange={(value) => setAccess((value as Access | null) ?? 'private')}
              data={ACCESSES.map((one) => ({ value: one, label: say(`access_${one}`) }))}
            />
            <Text size="sm" c="dimmed" mt={4}>
              {say(`access_${access}_text`)}
            </Text>
          </div>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {say('createAction')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
