import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api, type Schemas } from '../../api/client';
import { EVERY } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { DataList, type Column } from '../../ui/data-list';
import { Count, duration, useBytes, When } from '../../ui/format';
import { Empty } from '../../ui/problems';
import { StateBadge } from '../../ui/state-badge';
import { adminTexts } from './admin.texts';
import { useAddress, useOrgNames } from './queries';

type Crawl = Schemas['CrawlOut'];

const PAGE_SIZE = 50;

/** Crawls of all orgs: those that are active, or all. */
export function CrawlsTab() {
  const say = useTexts(adminTexts);
  const bytes = useBytes();
  const orgOf = useOrgNames();
  const { search, change } = useAddress();
  const { page = 1, sortBy = 'started', dir = -1, ended = false } = search;
  const query = api.useQuery(
    'get',
    '/api/orgs/all/crawls',
    { params: { query: { page, pageSize: PAGE_SIZE, sortBy, sortDirection: dir, runningOnly: !ended } } },
    { refetchInterval: EVERY.list },
  );
  const nameOf = (crawl: Crawl): string => crawl.name || crawl.firstSeed || crawl.id;
  const columns: readonly Column<Crawl>[] = [
    {
      id: 'name',
      title: say('crawl'),
      sortBy: 'firstSeed',
      width: '35%',
      cell: (crawl) => {
        const org = orgOf(crawl.oid);
        const to = crawl.finished
          ? `/o/${org?.slug ?? ''}/items/${crawl.id}`
          : `/o/${org?.slug ?? ''}/workflows/${crawl.cid ?? ''}`;
        return (
          <>
            <Anchor component={Link} to={to} size="sm" fw={500} dir="auto">
              {nameOf(crawl)}
            </Anchor>
            <Text size="xs" c="dimmed" truncate dir="auto">
              {org?.name}
            </Text>
          </>
        );
      },
      csv: nameOf,
    },
    {
      id: 'state',
      title: say('state'),
      cell: (crawl) => <StateBadge state={crawl.state} />,
      csv: (crawl) => crawl.state,
    },
    {
      id: 'started',
      title: say('started'),
      sortBy: 'started',
      from: 'sm',
      cell: (crawl) => <When at={crawl.started} />,
      csv: (crawl) => crawl.started,
    },
    {
      id: 'time',
      title: say('crawlingTime'),
      sortBy: 'crawlExecSeconds',
      align: 'end',
      from: 'md',
      cell: (crawl) => duration(crawl.crawlExecSeconds),
      csv: (crawl) => crawl.crawlExecSeconds,
    },
    {
      id: 'pages',
      title: say('pages'),
      sortBy: 'pageCount',
      align: 'end',
      from: 'sm',
      cell: (crawl) => <Count value={crawl.finished ? crawl.pageCount : crawl.stats?.done} />,
      csv: (crawl) => (crawl.finished ? crawl.pageCount : crawl.stats?.done),
    },
    {
      id: 'size',
      title: say('size'),
      sortBy: 'fileSize',
      align: 'end',
      from: 'md',
      cell: (crawl) => bytes((crawl.fileSize ?? 0) + (crawl.finished ? 0 : (crawl.stats?.size ?? 0))),
      csv: (crawl) => crawl.fileSize,
    },
    {
      id: 'by',
      title: say('startedBy'),
      from: 'lg',
      cell: (crawl) => crawl.userName ?? '–',
      csv: (crawl) => crawl.userName,
    },
  ];
  return (
    <DataList<Crawl>
      label={say('tab_crawls')}
      columns={columns}
      query={query}
      idOf={(crawl) => crawl.id}
      nameOf={nameOf}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={change}
      order={{ sortBy: 'started', dir: -1 }}
      filters={
        <SegmentedControl
          size="xs"
          aria-label={say('which')}
          value={ended ? 'all' : 'active'}
          data={(['active', 'all'] as const).map((value) => ({ value, label: say(value) }))}
          onChange={(value) => change({ ended: value === 'all' ? true : undefined, page: undefined })}
        />
      }
      empty={<Empty title={say(ended ? 'noCrawls' : 'noActive')}>{say('noActiveText')}</Empty>}
    />
  );
}
