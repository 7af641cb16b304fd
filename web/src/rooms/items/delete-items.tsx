import { List, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { useBytes } from '../../ui/format';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { itemsTexts } from './items.texts';
import { nameOf, type Item } from './queries';

/** Names shown in the question. */
const NAMED = 8;

/** Asks before items are deleted, says what depends on them, and deletes them. @returns whether they are gone */
export function useDeleteItems(): (items: readonly Item[]) => Promise<boolean> {
  const say = useTexts(itemsTexts);
  const bytes = useBytes();
  const ask = useConfirm();
  const queries = useQueryClient();
  const { oid } = useOrg();
  return async (items) => {
    const [first] = items;
    if (!first) return false;
    const ids = items.map(({ id }) => id);
    const needing = ({ requiredByCrawls }: Item) => (requiredByCrawls ?? []).filter((id) => !ids.includes(id));
    const dependents = [...new Set(items.flatMap(needing))];
    const kept = sizeOf(items.filter((item) => needing(item).length > 0));
    const freed = sizeOf(items) - kept;
    const isAgreed = await ask({
      title:
        items.length === 1 ? say('deleteOne', { name: nameOf(first) }) : say('deleteMany', { count: items.length }),
      text: (
        <Stack gap="xs">
          {items.length > 1 && <Names names={items.map(nameOf)} />}
          <Text size="sm">
            {say('deleteText')} {say('deleteFreed', { size: bytes(freed) })}
          </Text>
          {dependents.length > 0 && (
            <>
              <Text size="sm" fw={600}>
                {say('deleteKept', { count: dependents.length, size: bytes(kept) })}
              </Text>
              <Names names={dependents} />
            </>
          )}
        </Stack>
      ),
      action: say('delete'),
      isDestructive: true,
      ...(items.length > 1 ? { typed: String(items.length) } : dependents.length > 0 ? { typed: nameOf(first) } : {}),
    });
    if (!isAgreed) return false;
    try {
      await client.POST('/api/orgs/{oid}/all-crawls/delete', { params: { path: { oid } }, body: { crawl_ids: ids } });
      notifyDone(say('deleted', { count: items.length }));
      await queries.invalidateQueries({
        predicate: ({ queryKey }) =>
          String(queryKey[1]).includes('all-crawls') && !String(queryKey[1]).includes('{crawl_id}'),
      });
      return true;
    } catch (error) {
      notifyProblem(error);
      return false;
    }
  };
}

const sizeOf = (items: readonly Item[]): number => items.reduce((sum, { fileSize = 0 }) => sum + fileSize, 0);

function Names({ names }: { readonly names: readonly string[] }) {
  const say = useTexts(itemsTexts);
  return (
    <List size="sm">
      {names.slice(0, NAMED).map((name, index) => (
        <List.Item key={index} dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </List.Item>
      ))}
      {names.length > NAMED && <List.Item>{say('andMore', { count: names.length - NAMED })}</List.Item>}
    </List>
  );
}
