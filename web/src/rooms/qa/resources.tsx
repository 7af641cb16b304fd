import { Alert, Badge, Stack, Table, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import { useTexts } from '../../i18n/texts';
import { ExportCsv } from '../../ui/export-csv';
import { Loading } from '../../ui/problems';
import { qaTexts } from './qa.texts';
import { usePair, type SeenPage } from './records';

interface Loaded {
  readonly status?: number;
  readonly type?: string;
  readonly mime?: string;
}
type Loads = ReadonlyMap<string, Loaded>;

/** What loaded with the page, by address: from a `urn:pageinfo:` record. */
function loadsOf(bytes: ArrayBuffer | null | undefined): Loads {
  if (!bytes) return new Map();
  try {
    const info = JSON.parse(new TextDecoder().decode(bytes)) as { urls?: Record<string, Loaded> };
    return new Map(Object.entries(info.urls ?? {}).filter(([url]) => /^https?:/.test(url)));
  } catch {
    return new Map();
  }
}
const isGood = (load: Loaded | undefined): boolean => load?.status !== undefined && load.status < 400;
const kindOf = (load: Loaded | undefined): string => (load?.type ?? load?.mime?.split('/')[0] ?? '–').toLowerCase();

interface Row {
  readonly url: string;
  readonly kind: string;
  readonly crawl: Loaded | undefined;
  readonly qa: Loaded | undefined;
}
/** All that loaded at either time; what differs stands first. */
function rowsOf(crawl: Loads, qa: Loads): Row[] {
  const urls = [...new Set([...crawl.keys(), ...qa.keys()])];
  const rows = urls.map((url) => {
    const [before, after] = [crawl.get(url), qa.get(url)];
    return { url, kind: kindOf(before ?? after), crawl: before, qa: after };
  });
  const differs = (row: Row): number => (isGood(row.crawl) === isGood(row.qa) ? 1 : 0);
  return rows.sort((a, b) => differs(a) - differs(b) || a.kind.localeCompare(b.kind) || a.url.localeCompare(b.url));
}

/** What loaded with the page at the crawl and at replay. */
export function Resources(seen: SeenPage) {
  const say = useTexts(qaTexts);
  const { data, error, isPending } = usePair('pageinfo', seen);
  const rows = useMemo(() => (data ? rowsOf(loadsOf(data.crawl), loadsOf(data.qa)) : []), [data]);
  if (error) return <Alert color="red">{say('noRecords')}</Alert>;
  if (isPending) return <Loading />;
  if (rows.length === 0) return <Alert color="gray">{say('noResources')}</Alert>;
  return (
    <Stack gap="md">
      <Counts rows={rows} />
      <Title order={3}>{say('allResources')}</Title>
      <Table.ScrollContainer minWidth={480}>
        <Table aria-label={say('allResources')} fz="sm" verticalSpacing={6} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{say('address')}</Table.Th>
              <Table.Th w={110}>{say('kind')}</Table.Th>
              <Table.Th w={110}>{say('atCrawl')}</Table.Th>
              <Table.Th w={110}>{say('atReplay')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.url}>
                <Table.Td>
                  <Text size="sm" truncate title={row.url}>
                    {row.url}
                  </Text>
                </Table.Td>
                <Table.Td>{row.kind}</Table.Td>
                <Table.Td>
                  <Status load={row.crawl} />
                </Table.Td>
                <Table.Td>
                  <Status load={row.qa} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <ExportCsv
        label={say('allResources')}
        columns={[
          { title: say('address'), csv: (row) => row.url },
          { title: say('kind'), csv: (row) => row.kind },
          { title: say('atCrawl'), csv: (row) => row.crawl?.status },
          { title: say('atReplay'), csv: (row) => row.qa?.status },
        ]}
        rows={() => rows}
      />
    </Stack>
  );
}

function Status({ load }: { readonly load: Loaded | undefined }) {
  const say = useTexts(qaTexts);
  if (!load) return <Text size="sm">{say('notLoaded')}</Text>;
  return (
    <Badge variant="light" color={isGood(load) ? 'green' : 'red'} tt="none" fw={500}>
      {load.status || say('notLoaded')}
    </Badge>
  );
}

const COUNTED = [
  { title: 'crawlGood', side: 'crawl', good: true },
  { title: 'crawlBad', side: 'crawl', good: false },
  { title: 'replayGood', side: 'qa', good: true },
  { title: 'replayBad', side: 'qa', good: false },
] as const;

function Counts({ rows }: { readonly rows: readonly Row[] }) {
  const say = useTexts(qaTexts);
  const intl = useIntl();
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort();
  const count = (of: readonly Row[], side: 'crawl' | 'qa', good: boolean): number =>
    of.filter((row) => row[side] !== undefined && isGood(row[side]) === good).length;
  const line = (name: string, of: readonly Row[]) => (
    <Table.Tr key={name}>
      <Table.Th scope="row">{name}</Table.Th>
      {COUNTED.map(({ title, side, good }) => (
        <Table.Td key={title} ta="end">
          {intl.formatNumber(count(of, side, good))}
        </Table.Td>
      ))}
    </Table.Tr>
  );
  const ofKind = (kind: string): readonly Row[] => rows.filter((row) => row.kind === kind);
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table aria-label={say('resources')} fz="sm" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('kind')}</Table.Th>
            {COUNTED.map(({ title }) => (
              <Table.Th key={title} ta="end">
                {say(title)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {kinds.map((kind) => line(kind, ofKind(kind)))}
          {kinds.length > 1 && line(say('all'), rows)}
        </Table.Tbody>
      </Table>
      <ExportCsv
        label={say('resources')}
        columns={[
          { title: say('kind'), csv: (kind) => kind },
          ...COUNTED.map(({ title, side, good }) => ({
            title: say(title),
            csv: (kind: string) => count(ofKind(kind), side, good),
          })),
        ]}
        rows={() => kinds}
      />
    </Table.ScrollContainer>
  );
}
