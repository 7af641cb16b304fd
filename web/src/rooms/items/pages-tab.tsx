import { ActionIcon, Anchor, Badge, Button, Group, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCheck, IconNote, IconPlayerPlay, IconSearch, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { DataList, type Column } from '../../ui/data-list';
import { When } from '../../ui/format';
import { Empty } from '../../ui/problems';
import { itemsTexts } from './items.texts';
import { NotesModal } from './notes-modal';
import type { ArchivedPage, ItemRecord } from './queries';
import { itemSearch, PAGE_FILTERS, useAddress, type ItemSearch } from './searches';

const PAGE_SIZE = 25;
const ORDER = { sortBy: '', dir: -1 } as const;

/** The API's query of each choice of the filter. */
const ONLY = {
  approved: { approved: 'true' },
  rejected: { approved: 'false' },
  unreviewed: { reviewed: false },
  notes: { hasNotes: true },
} as const;

export function PagesTab({ item }: { readonly item: ItemRecord }) {
  const say = useTexts(itemsTexts);
  const { oid } = useOrg();
  const [search, change] = useAddress(itemSearch);
  const [noted, setNoted] = useState<ArchivedPage | null>(null);
  const query = api.useQuery(
    'get',
    '/api/orgs/{oid}/all-crawls/{crawl_id}/pages',
    {
      params: {
        path: { oid, crawl_id: item.id },
        query: {
          page: search.page ?? 1,
          pageSize: PAGE_SIZE,
          ...(search.search ? { search: search.search } : {}),
          ...(search.sortBy ? { sortBy: search.sortBy, sortDirection: search.dir ?? -1 } : {}),
          ...(search.only ? ONLY[search.only] : {}),
        },
      },
    },
    { placeholderData: (before) => before },
  );
  const columns = useColumns(item, setNoted);
  const shownNotes = noted && (query.data?.items.find(({ id }) => id === noted.id) ?? noted);
  return (
    <>
      <DataList
        label={say('pages')}
        columns={columns}
        query={query}
        idOf={(page) => page.id}
        nameOf={(page) => page.title || page.url}
        pageSize={PAGE_SIZE}
        search={search}
        onSearch={change}
        order={ORDER}
        filters={<PageFilters search={search} onChange={change} />}
        isFiltered={search.search !== undefined || search.only !== undefined}
        onClearFilters={() => change({ search: undefined, only: undefined })}
        empty={<Empty title={say('noPages')}>{say('noPagesText')}</Empty>}
      />
      {shownNotes && <NotesModal page={shownNotes} onClose={() => setNoted(null)} />}
    </>
  );
}

function PageFilters({
  search,
  onChange,
}: {
  readonly search: ItemSearch;
  readonly onChange: (change: Partial<ItemSearch>) => void;
}) {
  const say = useTexts(itemsTexts);
  const [typed, setTyped] = useState(search.search ?? '');
  const look = useDebouncedCallback((text: string) => onChange({ search: text.trim() || undefined }), 300);
  return (
    <Group gap="xs">
      <TextInput
        aria-label={say('searchPages')}
        placeholder={say('searchPages')}
        leftSection={<IconSearch size={16} aria-hidden />}
        w={{ base: '100%', xs: 320 }}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          look(event.currentTarget.value);
        }}
      />
      <Select
        aria-label={say('pageReview')}
        data={[
          { value: 'all', label: say('pages_all') },
          ...PAGE_FILTERS.map((only) => ({ value: only, label: say(`pages_${only}`) })),
        ]}
        allowDeselect={false}
        w={{ base: '100%', xs: 180 }}
        value={search.only ?? 'all'}
        onChange={(only) => onChange({ only: only === 'all' ? undefined : (only as ItemSearch['only']) })}
      />
    </Group>
  );
}

/** Statuses of answers that are no page: 4xx and 5xx, and 0 where none came. */
const isBad = (status: number | undefined): boolean => status !== undefined && (status === 0 || status >= 400);

function useColumns(item: ItemRecord, openNotes: (page: ArchivedPage) => void): readonly Column<ArchivedPage>[] {
  const say = useTexts(itemsTexts);
  const { slug, canCrawl } = useOrg();
  const replay = (page: ArchivedPage): string => {
    const query = new URLSearchParams({ tab: 'replay', url: page.url, ...(page.ts ? { ts: page.ts } : {}) });
    return `/o/${slug}/items/${item.id}?${query.toString()}`;
  };
  return [
    {
      id: 'page',
      title: say('page'),
      sortBy: 'url',
      width: '60%',
      cell: (page) => <PageCell page={page} to={replay(page)} />,
      csv: (page) => page.url,
    },
    {
      id: 'status',
      title: say('status'),
      sortBy: 'status',
      cell: (page) => (
        <Badge variant="light" color={isBad(page.status) ? 'red' : 'gray'} fw={500}>
          {page.status ?? '–'}
        </Badge>
      ),
      csv: (page) => page.status,
    },
    {
      id: 'time',
      title: say('time'),
      sortBy: 'ts',
      from: 'md',
      cell: (page) => <When at={page.ts} />,
      csv: (page) => page.ts,
    },
    {
      id: 'review',
      title: say('review'),
      sortBy: 'approved',
      from: 'sm',
      cell: (page) => <Approval approved={page.approved} />,
      csv: (page) => (page.approved == null ? '' : page.approved ? say('approved') : say('rejected')),
    },
    {
      id: 'notes',
      title: say('notes'),
      sortBy: 'notes',
      align: 'end',
      cell: (page) => {
        const count = page.notes?.length ?? 0;
        if (item.type !== 'crawl' || (count === 0 && !canCrawl)) return count;
        const label = `${String(count)} · ${say('notesOf', { name: page.title || page.url })}`;
        return (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconNote size={14} aria-hidden />}
            aria-label={label}
            onClick={() => openNotes(page)}
          >
            {count}
          </Button>
        );
      },
      csv: (page) => page.notes?.map(({ text }) => text).join('; '),
    },
    {
      id: 'replay',
      title: say('replay'),
      align: 'end',
      from: 'sm',
      cell: (page) => (
        <ActionIcon
          component={Link}
          to={replay(page)}
          variant="subtle"
          aria-label={say('replayPage', { name: page.title || page.url })}
        >
          <IconPlayerPlay size={16} aria-hidden />
        </ActionIcon>
      ),
    },
  ];
}

function PageCell({ page, to }: { readonly page: ArchivedPage; readonly to: string }) {
  return (
    <Stack gap={0}>
      <Anchor component={Link} to={to} size="sm" fw={500} truncate dir="auto" title={page.title ?? page.url}>
        {page.title || page.url}
      </Anchor>
      {page.title && (
        <Text size="xs" c="dimmed" truncate dir="ltr" ta="start">
          {page.url}
        </Text>
      )}
    </Stack>
  );
}

function Approval({ approved }: { readonly approved: boolean | null | undefined }) {
  const say = useTexts(itemsTexts);
  if (approved == null)
    return (
      <Text span size="sm" c="dimmed">
        –
      </Text>
    );
  const Icon = approved ? IconCheck : IconX;
  const word = say(approved ? 'approved' : 'rejected');
  return (
    <Tooltip label={word}>
      <Badge
        variant="light"
        color={approved ? 'green' : 'red'}
        tt="none"
        fw={500}
        leftSection={<Icon size={12} aria-hidden />}
      >
        {word}
      </Badge>
    </Tooltip>
  );
}
