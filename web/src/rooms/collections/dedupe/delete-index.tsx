import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { useOrg } from '../../../session/me';
import { Dialog } from '../../../ui/dialogs';
import { useAct } from '../../../ui/use-act';
import type { Collection } from '../queries';
import { dedupeTexts } from './dedupe.texts';

/** Asks whether workflows forget the index too, and deletes it. */
export function DeleteIndex({
  collection,
  onClose,
}: {
  readonly collection: Collection;
  readonly onClose: () => void;
}) {
  const say = useTexts(dedupeTexts);
  const { oid } = useOrg();
  const act = useAct();
  const [removeFromWorkflows, setForget] = useState(true);
  const remove = async (): Promise<void> => {
    const params = { path: { oid, coll_id: collection.id } };
    const body = { removeFromWorkflows };
    const isDone = await act(
      () => client.POST('/api/orgs/{oid}/collections/{coll_id}/dedupeIndex/delete', { params, body }),
      say('removedDone'),
    );
    if (isDone) onClose();
  };
  return (
    <Dialog title={say('removeTitle', { name: collection.name })} onClose={onClose}>
      <Stack>
        <Text size="sm">{say('removeText')}</Text>
        <Checkbox
          label={say('removeFromWorkflows')}
          checked={removeFromWorkflows}
          onChange={(event) => setForget(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('cancel')}
          </Button>
          <Button color="red" onClick={() => void remove()}>
            {say('removeAction')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
