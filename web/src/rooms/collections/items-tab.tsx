import { Anchor, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { paced } from '../../api/live';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { DataList, type Column } from '../../ui/data-list';
import { Bytes, Count, When } from '../../ui/format';
import { Empty, notifyProblem } from '../../ui/problems';
import { StateBadge } from '../../ui/state-badge';
import { collectionsTexts } from './collections.texts';
import { useReread, type Collection } from './queries';

const route = getRouteApi('/member/o/$slug/collections/$id');
const PAGE_SIZE = 20;
const ORDER = { sortBy: 'finished', dir: -1 } as const;

type Item = Schemas['CrawlOut'];
export const itemName = (item: Pick<Item, 'name' | 'firstSeed' | 'id'>): string =>
  item.name || item.firstSeed || item.id;

interface TabProps {
  readonly collection: Collection;
  readonly onAdd: () => void;
}

/** The crawls and uploads of a collection. */
export function ItemsTab({ collection, onAdd }: TabProps) {
  const say = useTexts(collectionsTexts);
  const { oid, canCrawl } = useOrg();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { page = 1, sortBy = ORDER.sortBy, dir = ORDER.dir } = search;
  const query = api.useQuery(
    'get',
    '/api/orgs/{oid}/all-crawls',
    {
      params: {
        path: { oid },
        query: { collectionId: collection.id, page, pageSize: PAGE_SIZE, sortBy, sortDirection: dir },
      },
    },
    { refetchInterval: paced.list },
  );
  const columns = useColumns();
  const remove = useRemoval(collection.id);
  return (
    <DataList
      label={say('tab_items')}
      columns={columns}
      query={query}
      idOf={({ id }) => id}
      nameOf={itemName}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={(change) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true })}
      order={ORDER}
      selection={
        canCrawl
          ? {
              ids: selected,
              change: setSelected,
              actions: (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => void remove([...selected]).then((isDone) => isDone && setSelected(new Set()))}
                >
                  {say('removeItems')}
                </Button>
              ),
            }
          : undefined
      }
      empty={
        <Empty title={say('noItems')} action={canCrawl && <Button onClick={onAdd}>{say('addItems')}</Button>}>
          {say('noItemsText')}
        </Empty>
      }
    />
  );
}

/** Takes items out, and offers to put them back. */
function useRemoval(id: string): (ids: readonly string[]) => Promise<boolean> {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const reread = useReread();
  const params = { path: { oid, coll_id: id } };
  return async (ids) => {
    const body = { crawlIds: [...ids], crawlconfigIds: [] };
    try {
      await client.POST('/api/orgs/{oid}/collections/{coll_id}/remove', { params, body });
      await reread();
    } catch (error) {
      notifyProblem(error);
      return false;
    }
    const undo = async (): Promise<void> => {
      notifications.hide(shown);
      await client.POST('/api/orgs/{oid}/collections/{coll_id}/add', { params, body });
      await reread();
    };
    const shown = notifications.show({
      autoClose: 15_000,
      message: (
        <>
          {say('removed', { count: ids.length })}{' '}
          <Button size="compact-sm" variant="light" onClick={() => void undo().catch(notifyProblem)}>
            {say('undo')}
          </Button>
        </>
      ),
    });
    return true;
  };
}

function useColumns(): readonly Column<Item>[] {
  const say = useTexts(collectionsTexts);
  const { slug } = useOrg();
  return [
    {
      id: 'name',
      title: say('name'),
      width: '45%',
      cell: (row) => (
        <Anchor
          component={Link}
          to={`/o/${slug}/items/${row.id}`}
          size="sm"
          fw={500}
          dir="auto"
          truncate
          display="block"
        >
          {itemName(row)}
        </Anchor>
      ),
      csv: itemName,
    },
    { id: 'state', title: say('state'), cell: (row) => <StateBadge state={row.state} />, csv: (row) => row.state },
    { id: 'kind', title: say('kind'), from: 'md', cell: (row) => say(row.type), csv: (row) => row.type },
    {
      id: 'finished',
      title: say('finished'),
      sortBy: 'finished',
      from: 'sm',
      cell: (row) => <When at={row.finished} />,
      csv: (row) => row.finished,
    },
    {
      id: 'pages',
      title: say('pageCount'),
      align: 'end',
      from: 'sm',
      cell: (row) => <Count value={row.pageCount} />,
      csv: (row) => row.pageCount,
    },
    {
      id: 'size',
      title: say('size'),
      sortBy: 'fileSize',
      align: 'end',
      cell: (row) => <Bytes value={row.fileSize} />,
      csv: (row) => row.fileSize,
    },
  ];
}
