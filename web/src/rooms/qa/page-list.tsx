import { Anchor, Badge, Box, Button, Group, Select, Text, Title } from '@mantine/core';
import { IconCheck, IconNote, IconX } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { DataList, type Column } from '../../ui/data-list';
import type { ListSearch } from '../../ui/list-search';
import { Empty } from '../../ui/problems';
import { uiTexts } from '../../ui/ui.texts';
import { useEveryPage, usePages, type QaPageRow, type Run } from './queries';
import { qaTexts } from './qa.texts';
import { REVIEWS, type QaSearch } from './search';

const route = getRouteApi('/member/o/$slug/items/$id/qa');
const PAGE_SIZE = 20;

/** How many resources loaded at the crawl and did not at replay. */
export const lostOf = ({ qa }: QaPageRow): number | null => {
  const counts = qa?.resourceCounts;
  return counts ? Math.max(0, (counts['crawlGood'] ?? 0) - (counts['replayGood'] ?? 0)) : null;
};

/** Pages of the crawl with what the run found; each leads into the review. */
export function PageList({ id, run }: { readonly id: string; readonly run: Run | undefined }) {
  const say = useTexts(qaTexts);
  const { slug } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns(slug, id, run, search);
  const order = run ? ({ sortBy: 'screenshotMatch', dir: 1 } as const) : ({ sortBy: 'title', dir: 1 } as const);
  const asked = { ...search, sortBy: search.sortBy ?? order.sortBy, dir: search.dir ?? order.dir };
  const query = usePages(id, run, { ...asked, page: search.page ?? 1, pageSize: PAGE_SIZE });
  const readAll = useEveryPage(id, run, asked);
  const change = (next: QaSearch | ListSearch): void =>
    void navigate({ search: (now) => ({ ...now, ...next }), resetScroll: false });
  const clear = (): void =>
    change({ by: undefined, from: undefined, below: undefined, review: undefined, page: undefined });
  return (
    <Box component="section" aria-label={say('pages')}>
      <Title order={2} mb="xs">
        {say('pages')}
      </Title>
      <DataList
        label={say('pages')}
        columns={columns}
        query={query}
        idOf={(page) => page.id}
        nameOf={(page) => page.title || page.url}
        pageSize={PAGE_SIZE}
        search={search}
        onSearch={change}
        order={order}
        isFiltered={search.by !== undefined || search.review !== undefined}
        onClearFilters={clear}
        filters={<Filters search={search} onChange={change} onClear={clear} />}
        readAll={readAll}
        empty={<Empty title={say('noPages')}>{say('noPagesText')}</Empty>}
      />
    </Box>
  );
}

interface FiltersProps {
  readonly search: QaSearch;
  readonly onChange: (next: QaSearch) => void;
  readonly onClear: () => void;
}
function Filters({ search, onChange, onClear }: FiltersProps) {
  const say = useTexts(qaTexts);
  const sayUi = useTexts(uiTexts);
  const intl = useIntl();
  const { by, from = 0, below = 1, review } = search;
  const percent = (score: number): string => intl.formatNumber(score, { style: 'percent' });
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label={say('reviewState')}
        placeholder={say('allPages')}
        data={REVIEWS.map((value) => ({ value, label: say(`review_${value}`) }))}
        value={review ?? null}
        clearable
        onChange={(value) => onChange({ review: REVIEWS.find((one) => one === value), page: undefined })}
        w={{ base: '100%', xs: 220 }}
      />
      {by && (
        <Badge variant="light" size="lg" tt="none" fw={500} mb={6}>
          {say(by)}: {say('range', { from: percent(from), to: percent(below) })}
        </Badge>
      )}
      {(by ?? review) && (
        <Button variant="subtle" onClick={onClear}>
          {sayUi('clearFilters')}
        </Button>
      )}
    </Group>
  );
}

/** Approved, rejected, with notes; in words for those who don't see the picture. */
export function Decision({ page }: { readonly page: QaPageRow }) {
  const say = useTexts(qaTexts);
  const notes = page.notes?.length ?? 0;
  return (
    <Group gap={6} wrap="nowrap">
      {page.approved === true && (
        <Badge
          variant="light"
          color="green"
          tt="none"
          fw={500}
          style={{ flexShrink: 0 }}
          leftSection={<IconCheck size={12} aria-hidden />}
        >
          {say('approved')}
        </Badge>
      )}
      {page.approved === false && (
        <Badge
          variant="light"
          color="red"
          tt="none"
          fw={500}
          style={{ flexShrink: 0 }}
          leftSection={<IconX size={12} aria-hidden />}
        >
          {say('rejected')}
        </Badge>
      )}
      {notes > 0 && (
        <Badge
          variant="default"
          tt="none"
          fw={500}
          style={{ flexShrink: 0 }}
          leftSection={<IconNote size={12} aria-hidden />}
        >
          {say('noteCount', { count: notes })}
        </Badge>
      )}
    </Group>
  );
}

function useColumns(slug: string, id: string, run: Run | undefined, search: QaSearch): readonly Column<QaPageRow>[] {
  const say = useTexts(qaTexts);
  const intl = useIntl();
  const { canCrawl } = useOrg();
  return useMemo(() => {
    const score = (value: number | null | undefined): string =>
      value == null ? '–' : intl.formatNumber(value, { style: 'percent', maximumFractionDigits: 1 });
    const { page: _page, ...rest } = search;
    const name = (page: QaPageRow) => (
      <Text size="sm" fw={500} truncate dir="auto" span display="block">
        {page.title || page.url}
      </Text>
    );
    const title: Column<QaPageRow> = {
      id: 'page',
      title: say('page'),
      sortBy: 'title',
      width: '45%',
      csv: (page) => page.url,
      cell: (page) => (
        <>
          {canCrawl ? (
            <Anchor
              component={Link}
              to={`/o/${slug}/items/${id}/review`}
              search={{ ...rest, run: run?.id, pageId: page.id } as never}
            >
              {name(page)}
            </Anchor>
          ) : (
            name(page)
          )}
          <Text size="xs" c="dimmed" truncate>
            {page.url}
          </Text>
        </>
      ),
    };
    const titleAlone: Column<QaPageRow> = {
      id: 'title',
      title: say('pageTitle'),
      isOnlyExported: true,
      cell: () => null,
      csv: ({ title: text }) => text,
    };
    const noteCount: Column<QaPageRow> = {
      id: 'notes',
      title: say('notes'),
      isOnlyExported: true,
      cell: () => null,
      csv: ({ notes }) => notes?.map(({ text }) => text).join('\n'),
    };
    const decision: Column<QaPageRow> = {
      id: 'decision',
      title: say('reviewState'),
      sortBy: 'approved',
      cell: (page) => <Decision page={page} />,
      csv: (page) => (page.approved == null ? '' : say(page.approved ? 'approved' : 'rejected')),
    };
    if (!run) return [title, titleAlone, decision, noteCount];
    return [
      title,
      titleAlone,
      ...(['screenshotMatch', 'textMatch'] as const).map((match): Column<QaPageRow> => ({
        id: match,
        title: say(match),
        sortBy: match,
        align: 'end',
        ...(match === 'textMatch' ? { from: 'sm' as const } : {}),
        cell: (page) => score(page.qa?.[match]),
        csv: (page) => page.qa?.[match],
      })),
      {
        id: 'lost',
        title: say('lost'),
        align: 'end',
        from: 'md',
        cell: (page) => (lostOf(page) === null ? '–' : intl.formatNumber(lostOf(page) ?? 0)),
        csv: (page) => lostOf(page),
      },
      decision,
      noteCount,
    ];
  }, [say, intl, canCrawl, slug, id, run, search]);
}
