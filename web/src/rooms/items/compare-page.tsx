import { Alert, Anchor, Button, Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { ReplayFrame } from '../../session/replay-frame';
import { DataList, type Column } from '../../ui/data-list';
import { When } from '../../ui/format';
import { Page } from '../../ui/page';
import { Empty, Loading, Problem } from '../../ui/problems';
import { compared, type Pair } from './compare';
import { itemsTexts } from './items.texts';
import { allPages, COMPARED_PAGES, nameOf, useItem, type ArchivedPage } from './queries';
import { CHANGES, compareSearch, useAddress, type Change } from './searches';

const PAGE_SIZE = 25;
const ORDER = { sortBy: '', dir: 1 } as const;

/** Two crawls of a workflow: which pages came, went and changed, and a page of both side by side. */
export function ComparePage() {
  const say = useTexts(itemsTexts);
  const { oid, slug } = useOrg();
  const [{ a = '', b = '', show = 'new', url, page = 1 }, change] = useAddress(compareSearch);
  const older = useItem(oid, a);
  const newer = useItem(oid, b);
  const pages = useQuery({
    queryKey: ['compared', oid, a, b],
    queryFn: async () => compared(await allPages(oid, a), await allPages(oid, b)),
    enabled: a !== '' && b !== '',
    staleTime: 60_000,
  });
  const columns = useColumns((pair) => change({ url: pair.url, page }));
  const back = { to: `/o/${slug}/items`, label: say('title') };
  const error = older.error ?? newer.error ?? pages.error;
  const rows = pages.data?.[show] ?? [];
  const pair = pages.data && url ? CHANGES.flatMap((one) => pages.data[one]).find((one) => one.url === url) : undefined;
  const query = {
    data: { items: rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), total: rows.length },
    error: null,
    isPending: false,
    refetch: () => pages.refetch(),
  };
  return (
    <Page title={say('compareTitle')} lead={say('compareLead')} back={back}>
      {!a || !b ? (
        <Empty title={say('chooseTwo')} />
      ) : error ? (
        <Problem error={error} />
      ) : !pages.data || !older.data || !newer.data ? (
        <Loading />
      ) : (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Side label={say('older')} item={older.data} />
            <Side label={say('newer')} item={newer.data} />
          </SimpleGrid>
          {Math.max(older.data.pageCount ?? 0, newer.data.pageCount ?? 0) > COMPARED_PAGES && (
            <Alert color="yellow" variant="light">
              {say('manyPages', { count: COMPARED_PAGES })}
            </Alert>
          )}
          {pair && <SideBySide pair={pair} a={a} b={b} onClose={() => change({ url: undefined, page })} />}
          <DataList
            label={say('pages')}
            columns={columns}
            query={query}
            idOf={(one) => one.url}
            nameOf={(one) => one.url}
            pageSize={PAGE_SIZE}
            search={{ page }}
            onSearch={change}
            order={ORDER}
            filters={
              <SegmentedControl
                transitionDuration={0}
                aria-label={say('pages')}
                data={CHANGES.map((one) => ({
                  value: one,
                  label: `${say(`pages_${one}`)} (${String(pages.data[one].length)})`,
                }))}
                value={show}
                onChange={(one) => change({ show: one as Change })}
              />
            }
            readAll={() => Promise.resolve(rows)}
            empty={<Empty title={say('noDifference')} />}
          />
        </>
      )}
    </Page>
  );
}

function Side({
  label,
  item,
}: {
  readonly label: string;
  readonly item: { readonly id: string; readonly name?: string | null; readonly started: string };
}) {
  const { slug } = useOrg();
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Anchor component={Link} to={`/o/${slug}/items/${item.id}`} fw={500} dir="auto">
        {nameOf(item)}
      </Anchor>
      <Text size="sm">
        <When at={item.started} />
      </Text>
    </Paper>
  );
}

function useColumns(open: (pair: Pair) => void): readonly Column<Pair>[] {
  const say = useTexts(itemsTexts);
  return useMemo(
    () => [
      {
        id: 'page',
        title: say('page'),
        width: '60%',
        cell: ({ url, before, after }) => (
          <Stack gap={0}>
            <Text size="sm" fw={500} truncate dir="auto">
              {(after ?? before)?.title || url}
            </Text>
            <Text size="xs" c="dimmed" truncate dir="ltr" ta="start">
              {url}
            </Text>
          </Stack>
        ),
        csv: ({ url }) => url,
      },
      {
        id: 'before',
        title: say('before'),
        from: 'sm',
        cell: ({ before, after }) => <Brief page={before} other={after} />,
        csv: ({ before }) => (before ? `${String(before.status ?? '')} ${before.title ?? ''}` : ''),
      },
      {
        id: 'after',
        title: say('after'),
        from: 'sm',
        cell: ({ before, after }) => <Brief page={after} other={before} />,
        csv: ({ after }) => (after ? `${String(after.status ?? '')} ${after.title ?? ''}` : ''),
      },
      {
        id: 'show',
        title: say('replay'),
        align: 'end',
        cell: (pair) => (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={say('comparePage', { name: pair.url })}
            onClick={() => open(pair)}
          >
            {say('sideBySide')}
          </Button>
        ),
      },
    ],
    [say, open],
  );
}

/** Status and type of one capture, and its title where the other capture has another. */
function Brief({ page, other }: { readonly page: ArchivedPage | undefined; readonly other: ArchivedPage | undefined }) {
  if (!page)
    return (
      <Text span size="sm" c="dimmed">
        –
      </Text>
    );
  const isRetitled = other !== undefined && (other.title ?? '') !== (page.title ?? '');
  return (
    <Stack gap={0}>
      <Text size="sm">
        {page.status ?? '–'} {page.mime?.split(';')[0]}
      </Text>
      {isRetitled && (
        <Text size="xs" dir="auto" maw={240} truncate>
          {page.title}
        </Text>
      )}
    </Stack>
  );
}

interface SideBySideProps {
  readonly pair: Pair;
  readonly a: string;
  readonly b: string;
  readonly onClose: () => void;
}
function SideBySide({ pair, a, b, onClose }: SideBySideProps) {
  const say = useTexts(itemsTexts);
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={2} dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {pair.url}
        </Title>
        <Button size="xs" variant="default" leftSection={<IconX size={14} aria-hidden />} onClick={onClose}>
          {say('closeSideBySide')}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
        <Capture id={a} page={pair.before} label={say('older')} />
        <Capture id={b} page={pair.after} label={say('newer')} />
      </SimpleGrid>
    </Paper>
  );
}

interface CaptureProps {
  readonly id: string;
  readonly page: ArchivedPage | undefined;
  readonly label: string;
}
function Capture({ id, page, label }: CaptureProps) {
  const say = useTexts(itemsTexts);
  const { oid } = useOrg();
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
        {page?.ts && (
          <>
            {' · '}
            <When at={page.ts} />
          </>
        )}
      </Text>
      {page ? (
        <ReplayFrame
          scope={{ oid, kind: 'item', id }}
          url={page.url}
          ts={page.ts}
          title={`${label}: ${page.title || page.url}`}
          height={560}
          isBare
        />
      ) : (
        <Text size="sm" c="dimmed">
          {say('notInCrawl')}
        </Text>
      )}
    </Stack>
  );
}
