import { Button, Group, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Dialog } from '../../ui/dialogs';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { collectionsTexts } from './collections.texts';
import { NOTHING, type Choice } from './choice';
import { ItemChoices } from './item-choices';
import { useReread, type Collection } from './queries';
import { WorkflowChoices } from './workflow-choices';

const PARTS = ['workflows', 'crawls', 'uploads'] as const;

interface DialogProps {
  readonly collection: Collection;
  readonly onClose: () => void;
}

/** Chooses what is in a collection, over all crawls, uploads and workflows of the org. */
export function AddItems({ collection, onClose }: DialogProps) {
  const say = useTexts(collectionsTexts);
  const [choice, setChoice] = useState<Choice>(NOTHING);
  const [part, setPart] = useState<string | null>('crawls');
  const [isBusy, setBusy] = useState(false);
  const save = useSave(collection.id);
  const submit = async (): Promise<void> => {
    setBusy(true);
    if (await save(choice)) onClose();
    else setBusy(false);
  };
  return (
    <Dialog onClose={onClose} title={say('pickTitle', { name: collection.name })} size="xl">
      <Stack>
        <Tabs value={part} onChange={setPart} keepMounted={false}>
          <Tabs.List mb="sm">
            {PARTS.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {say(`pick_${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="workflows">
            <WorkflowChoices collection={collection} choice={choice} onChange={setChoice} />
          </Tabs.Panel>
          <Tabs.Panel value="crawls">
            <ItemChoices type="crawl" collection={collection} choice={choice} onChange={setChoice} />
          </Tabs.Panel>
          <Tabs.Panel value="uploads">
            <ItemChoices type="upload" collection={collection} choice={choice} onChange={setChoice} />
          </Tabs.Panel>
        </Tabs>
        <Group justify="space-between">
          <Summary choice={choice} />
          <Group gap="xs" ml="auto">
            <Button variant="default" onClick={onClose}>
              {say('cancel')}
            </Button>
            <Button
              loading={isBusy}
              disabled={choice.items.size + choice.workflows.size === 0}
              onClick={() => void submit()}
            >
              {say('pickSave')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Summary({ choice: { items, workflows } }: { readonly choice: Choice }) {
  const say = useTexts(collectionsTexts);
  const added = [...items.values()].filter((isIn) => isIn).length;
  const parts = [
    items.size > 0 && say('pickCount', { added, removed: items.size - added }),
    workflows.size > 0 && say('pickWorkflowCount', { count: workflows.size }),
  ].filter((text) => typeof text === 'string');
  return (
    <Text size="sm" c="dimmed" role="status">
      {parts.length > 0 ? parts.join(' · ') : say('pickNone')}
    </Text>
  );
}

/** Sends a choice. @returns whether all of it was taken */
function useSave(id: string): (choice: Choice) => Promise<boolean> {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const reread = useReread();
  const params = { path: { oid, coll_id: id } };
  return async ({ items, workflows }) => {
    const ids = (isIn: boolean): string[] => [...items].flatMap(([one, wished]) => (wished === isIn ? [one] : []));
    const add = { crawlIds: ids(true), crawlconfigIds: [...workflows] };
    const remove = { crawlIds: ids(false), crawlconfigIds: [] };
    try {
      if (add.crawlIds.length + add.crawlconfigIds.length > 0)
        await client.POST('/api/orgs/{oid}/collections/{coll_id}/add', { params, body: add });
      if (remove.crawlIds.length > 0)
        await client.POST('/api/orgs/{oid}/collections/{coll_id}/remove', { params, body: remove });
      notifyDone(say('saved'));
      return true;
    } catch (error) {
      notifyProblem(error);
      return false;
    } finally {
      await reread();
    }
  };
}
