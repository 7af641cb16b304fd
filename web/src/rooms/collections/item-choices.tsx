import { Text } from '@mantine/core';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { DataList, type Column } from '../../ui/data-list';
import { Bytes, Count, When } from '../../ui/format';
import type { ListSearch } from '../../ui/list-search';
import { nameFilter, type Choice } from './choice';
import { collectionsTexts } from './collections.texts';
import { itemName } from './items-tab';
import { NameSearch } from './name-search';
import type { Collection } from './queries';

type Item = Schemas['CrawlOut'];
const PAGE_SIZE = 10;
const ORDER = { sortBy: 'finished', dir: -1 } as const;
/** Ended crawls that have files; others cannot be in a collection. */
const STATES = [
  ...['complete', 'stopped_by_user', 'stopped_pause_expired', 'stopped_storage_quota_reached'],
  ...['stopped_time_quota_reached', 'stopped_org_readonly'],
];

interface ChoicesProps {
  readonly type: 'crawl' | 'upload';
  readonly collection: Collection;
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
}

/** Crawls or uploads with a tick for those in the collection. */
export function ItemChoices({ type, collection, choice, onChange }: ChoicesProps) {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const [search, setSearch] = useState<ListSearch>({});
  const [name, setName] = useState('');
  const { page = 1, sortBy = ORDER.sortBy, dir = ORDER.dir } = search;
  const query = api.useQuery('get', '/api/orgs/{oid}/all-crawls', {
    params: {
      path: { oid },
      query: {
        crawlType: type,
        state: STATES,
        page,
        pageSize: PAGE_SIZE,
        sortBy,
        sortDirection: dir,
        ...nameFilter(name),
      },
    },
  });
  const rows = query.data?.items ?? [];
  const isIn = (row: Item): boolean => choice.items.get(row.id) ?? row.collectionIds?.includes(collection.id) ?? false;
  const change = (ids: ReadonlySet<string>): void => {
    const items = new Map(choice.items);
    for (const row of rows) {
      const wasIn = row.collectionIds?.includes(collection.id) ?? false;
      if (ids.has(row.id) === wasIn) items.delete(row.id);
      else items.set(row.id, ids.has(row.id));
    }
    onChange({ ...choice, items });
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {say('pickLead')}
      </Text>
      <DataList
        label={say(type === 'crawl' ? 'pick_crawls' : 'pick_uploads')}
        columns={useColumns()}
        query={query}
        idOf={({ id }) => id}
        nameOf={itemName}
        pageSize={PAGE_SIZE}
        search={search}
        onSearch={(next) => setSearch((old) => ({ ...old, ...next }))}
        order={ORDER}
        filters={
          <NameSearch
            kind={type}
            value={name}
            onChange={(next) => {
              setName(next);
              setSearch((old) => ({ ...old, page: 1 }));
            }}
          />
        }
        isFiltered={name !== ''}
        onClearFilters={() => setName('')}
        selection={{ ids: new Set(rows.filter(isIn).map(({ id }) => id)), change, actions: null }}
        empty={
          <Text size="sm" c="dimmed" p="lg" ta="center">
            {say('pickEmpty')}
          </Text>
        }
      />
    </>
  );
}

function useColumns(): readonly Column<Item>[] {
  const say = useTexts(collectionsTexts);
  return [
    {
      id: 'name',
      title: say('name'),
      width: '55%',
      cell: (row) => (
        <Text size="sm" dir="auto" truncate>
          {itemName(row)}
        </Text>
      ),
    },
    { id: 'finished', title: say('finished'), sortBy: 'finished', cell: (row) => <When at={row.finished} /> },
    { id: 'pages', title: say('pageCount'), align: 'end', from: 'sm', cell: (row) => <Count value={row.pageCount} /> },
    {
      id: 'size',
      title: say('size'),
      sortBy: 'fileSize',
      align: 'end',
      from: 'sm',
      cell: (row) => <Bytes value={row.fileSize} />,
    },
  ];
}
