import { Text } from '@mantine/core';
import { api, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import type { Column } from '../../ui/data-list';
import { Bytes, Count, When } from '../../ui/format';
import type { Choice } from './choice';
import { ChoiceList, useChoiceSearch } from './choice-list';
import { collectionsTexts } from './collections.texts';
import { itemName } from './items-tab';
import type { Collection } from './queries';

type Item = Schemas['CrawlOut'];
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
  const by = useChoiceSearch(ORDER);
  const query = api.useQuery('get', '/api/orgs/{oid}/all-crawls', {
    params: { path: { oid }, query: { crawlType: type, state: STATES, ...by.query } },
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
    <ChoiceList
      lead={say('pickLead')}
      kind={type}
      label={say(type === 'crawl' ? 'pick_crawls' : 'pick_uploads')}
      columns={useColumns()}
      query={query}
      nameOf={itemName}
      by={by}
      chosen={new Set(rows.filter(isIn).map(({ id }) => id))}
      onChange={change}
    />
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
