import { ActionIcon, Badge, Box, Group, Menu, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconDots, IconHome, IconPlayerPlay, IconSearch } from '@tabler/icons-react';
import { keepPreviousData } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { DataList, type Column } from '../../ui/data-list';
import { When } from '../../ui/format';
import { Empty } from '../../ui/problems';
import { uiTexts } from '../../ui/ui.texts';
import { collectionsTexts } from './collections.texts';
import { useHome } from './home-page';
import type { Collection } from './queries';
import type { CollectionSearch } from './collection-search';

const route = getRouteApi('/member/o/$slug/collections/$id');
const PAGE_SIZE = 50;
const MOST_MATCHES = 1000;
const ORDER = { sortBy: 'ts', dir: -1 } as const;

type ArchivedPage = Schemas['PageOut'];
const pageName = ({ title, url }: Pick<ArchivedPage, 'title' | 'url'>): string => title || url;

interface TabProps {
  readonly collection: Collection;
  readonly onReplay: (url: string, ts: string | null | undefined) => void;
}

/** The archived pages of all items of a collection. */
export function PagesTab({ collection, onReplay }: TabProps) {
  const say = useTexts(collectionsTexts);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { find } = search;
  const [typed, setTyped] = useState(find ?? '');
  const apply = useDebouncedCallback(
    (next: string) =>
      void navigate({ search: (old) => ({ ...old, find: next || undefined, page: undefined }), replace: true }),
    300,
  );
  const query = usePages(collection, search);
  const columns = useColumns(collection, onReplay);
  return (
    <DataList
      label={say('tab_pages')}
      columns={columns}
      query={query}
      idOf={({ id }) => id}
      nameOf={pageName}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={(change) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true })}
      order={ORDER}
      filters={
        <TextInput
          type="search"
          aria-label={say('pagesSearch')}
          placeholder={say('pagesSearch')}
          leftSection={<IconSearch size={16} aria-hidden />}
          w={{ base: '100%', xs: 320 }}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            apply(event.currentTarget.value.trim());
          }}
        />
      }
      isFiltered={find !== undefined}
      onClearFilters={() => {
        setTyped('');
        apply('');
      }}
      empty={<Empty title={say('noPages')}>{say('noPagesText')}</Empty>}
    />
  );
}

/**
 * One page of the list. The API tells no total: of all pages it is the collection's own count, of a search that of the
 * matches, of which no more than a thousand are looked at.
 */
function usePages({ id, pageCount }: Collection, { page = 1, sortBy, dir, find }: CollectionSearch) {
  const { oid } = useOrg();
  const query = api.useQuery(
    'get',
    '/api/orgs/{oid}/collections/{coll_id}/pages',
    {
      params: {
        path: { oid, coll_id: id },
        query: {
          sortBy: sortBy ?? ORDER.sortBy,
          sortDirection: dir ?? ORDER.dir,
          ...(find ? { search: find, pageSize: MOST_MATCHES } : { page, pageSize: PAGE_SIZE }),
        },
      },
    },
    { placeholderData: keepPreviousData },
  );
  const rows = query.data?.items ?? [];
  const start = (page - 1) * PAGE_SIZE;
  const items = find ? rows.slice(start, start + PAGE_SIZE) : rows;
  const total = find ? rows.length : Math.max(pageCount ?? 0, start + rows.length);
  return { ...query, data: query.data && { items, total } };
}

function useColumns(collection: Collection, onReplay: TabProps['onReplay']): readonly Column<ArchivedPage>[] {
  const say = useTexts(collectionsTexts);
  return [
    {
      id: 'page',
      title: say('page'),
      sortBy: 'title',
      width: '60%',
      cell: (row) => <PageName row={row} isHome={row.id === collection.homeUrlPageId} />,
      csv: (row) => row.url,
    },
    {
      id: 'ts',
      title: say('captured'),
      sortBy: 'ts',
      from: 'sm',
      cell: (row) => <When at={row.ts} />,
      csv: (row) => row.ts,
    },
    {
      id: 'status',
      title: say('status'),
      sortBy: 'status',
      align: 'end',
      from: 'sm',
      cell: (row) => row.status,
      csv: (row) => row.status,
    },
    {
      id: 'actions',
      title: '',
      align: 'end',
      cell: (row) => <PageMenu row={row} collection={collection} onReplay={onReplay} />,
    },
  ];
}

function PageName({ row, isHome }: { readonly row: ArchivedPage; readonly isHome: boolean }) {
  const say = useTexts(collectionsTexts);
  return (
    <Box style={{ minWidth: 0 }}>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" fw={500} dir="auto" truncate>
          {pageName(row)}
        </Text>
        {isHome && (
          <Badge variant="light" tt="none" fw={500} style={{ flexShrink: 0 }}>
            {say('homeIs')}
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" truncate>
        {row.url}
      </Text>
    </Box>
  );
}

function PageMenu({ row, collection, onReplay }: TabProps & { readonly row: ArchivedPage }) {
  const say = useTexts(collectionsTexts);
  const sayUi = useTexts(uiTexts);
  const { canCrawl } = useOrg();
  const setHome = useHome(collection.id);
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <ActionIcon
        variant="subtle"
        aria-label={`${say('replay')}: ${pageName(row)}`}
        onClick={() => onReplay(row.url, row.ts)}
      >
        <IconPlayerPlay size={18} aria-hidden />
      </ActionIcon>
      {canCrawl && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={sayUi('moreActions', { name: pageName(row) })}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconHome size={16} aria-hidden />} onClick={() => void setHome(row.id)}>
              {say('useAsHome')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  );
}
