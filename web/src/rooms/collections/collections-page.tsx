import { Anchor, Autocomplete, Box, Button, Group, Select, Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Cover } from '../../ui/cover';
import { DataList, type Column } from '../../ui/data-list';
import { Bytes, Count, useBytes, When } from '../../ui/format';
import { Page } from '../../ui/page';
import { Period } from '../../ui/period';
import { Empty } from '../../ui/problems';
import { AccessBadge } from './access';
import { CollectionMenu } from './collection-menu';
import { collectionsTexts } from './collections.texts';
import { CreateCollection } from './create-collection';
import type { Collection } from './queries';
import { ACCESSES, type Access, type CollectionsSearch } from './collection-search';

const route = getRouteApi('/member/o/$slug/collections');
const PAGE_SIZE = 20;
const ORDER = { sortBy: 'modified', dir: -1 } as const;

const queryOf = ({ name, access, sortBy = ORDER.sortBy, dir = ORDER.dir }: CollectionsSearch) => ({
  ...(name ? { namePrefix: name } : {}),
  ...(access ? { access } : {}),
  sortBy,
  sortDirection: dir,
});

/** The collections of an org. */
export function CollectionsPage() {
  const say = useTexts(collectionsTexts);
  const { oid, canCrawl } = useOrg();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const query = api.useQuery(
    'get',
    '/api/orgs/{oid}/collections',
    { params: { path: { oid }, query: { ...queryOf(search), page: search.page ?? 1, pageSize: PAGE_SIZE } } },
    { placeholderData: keepPreviousData },
  );
  const columns = useColumns();
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {say('create')}
    </Button>
  );
  const change = (next: CollectionsSearch): void =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  return (
    <Page title={say('title')} lead={say('lead')} actions={canCrawl && create}>
      <DataList
        label={say('title')}
        columns={columns}
        query={query}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        pageSize={PAGE_SIZE}
        search={search}
        onSearch={change}
        order={ORDER}
        filters={<Filters search={search} onChange={(next) => change({ ...next, page: undefined })} />}
        isFiltered={search.name !== undefined || search.access !== undefined}
        onClearFilters={() => change({ name: undefined, access: undefined, page: undefined })}
        empty={
          <Empty title={say('emptyTitle')} action={canCrawl && create}>
            {say('emptyText')}
          </Empty>
        }
      />
      {isCreating && <CreateCollection onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface FiltersProps {
  readonly search: CollectionsSearch;
  readonly onChange: (change: CollectionsSearch) => void;
}
function Filters({ search, onChange }: FiltersProps) {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const [name, setName] = useState(search.name ?? '');
  const names = api.useQuery('get', '/api/orgs/{oid}/collections/search-values', { params: { path: { oid } } });
  const apply = useDebouncedCallback((next: string) => onChange({ name: next || undefined }), 250);
  // Filters that are cleared elsewhere are cleared here.
  const [known, setKnown] = useState(search.name);
  if (known !== search.name) {
    setKnown(search.name);
    setName(search.name ?? '');
  }
  return (
    <Group gap="sm">
      <Autocomplete
        aria-label={say('searchNames')}
        placeholder={say('searchNames')}
        leftSection={<IconSearch size={16} aria-hidden />}
        w={{ base: '100%', xs: 280 }}
        value={name}
        limit={8}
        data={[...new Set(names.data?.names ?? [])]}
        onChange={(next) => {
          setName(next);
          apply(next.trim());
        }}
      />
      <Select
        aria-label={say('access')}
        placeholder={say('anyAccess')}
        clearable
        w={{ base: '100%', xs: 180 }}
        value={search.access ?? null}
        onChange={(value) => onChange({ access: (value as Access | null) ?? undefined })}
        data={ACCESSES.map((one) => ({ value: one, label: say(`access_${one}`) }))}
      />
    </Group>
  );
}

function useColumns(): readonly Column<Collection>[] {
  const say = useTexts(collectionsTexts);
  const bytes = useBytes();
  return [
    {
      id: 'name',
      title: say('name'),
      sortBy: 'name',
      width: '40%',
      cell: (row) => <Name row={row} />,
      csv: (row) => row.name,
    },
    {
      id: 'access',
      title: say('access'),
      cell: (row) => <AccessBadge access={row.access} />,
      csv: (row) => row.access,
    },
    {
      id: 'items',
      title: say('itemCount'),
      sortBy: 'crawlCount',
      align: 'end',
      from: 'sm',
      cell: (row) => <Count value={row.crawlCount} />,
      csv: (row) => row.crawlCount,
    },
    {
      id: 'pages',
      title: say('pageCount'),
      sortBy: 'pageCount',
      align: 'end',
      from: 'sm',
      cell: (row) => <Count value={row.pageCount} />,
      csv: (row) => row.pageCount,
    },
    {
      id: 'size',
      title: say('size'),
      sortBy: 'totalSize',
      align: 'end',
      from: 'md',
      cell: (row) => <Bytes value={row.totalSize} />,
      csv: (row) => bytes(row.totalSize),
    },
    {
      id: 'period',
      title: say('period'),
      sortBy: 'dateLatest',
      from: 'lg',
      cell: (row) => <Period from={row.dateEarliest} to={row.dateLatest} />,
      csv: (row) => row.dateLatest,
    },
    {
      id: 'modified',
      title: say('modified'),
      sortBy: 'modified',
      from: 'md',
      cell: (row) => <When at={row.modified} />,
      csv: (row) => row.modified,
    },
    { id: 'actions', title: '', align: 'end', cell: (row) => <CollectionMenu collection={row} /> },
  ];
}

function Name({ row }: { readonly row: Collection }) {
  const { slug } = useOrg();
  return (
    <Group gap="sm" wrap="nowrap">
      <Box visibleFrom="sm">
        <Cover src={row.thumbnail?.path} name={row.defaultThumbnailName} w={72} />
      </Box>
      <Box style={{ minWidth: 0 }}>
        <Anchor
          component={Link}
          to={`/o/${slug}/collections/${row.id}`}
          fw={500}
          size="sm"
          dir="auto"
          truncate
          display="block"
        >
          {row.name}
        </Anchor>
        {row.caption && (
          <Text size="xs" c="dimmed" dir="auto" truncate>
            {row.caption}
          </Text>
        )}
      </Box>
    </Group>
  );
}
