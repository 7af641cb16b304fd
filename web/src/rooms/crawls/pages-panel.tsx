import { Anchor, Badge, Group, Stack, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client';
import { everyRow } from '../../api/every-row';
import { EVERY } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { ExportCsv } from '../../ui/export-csv';
import { When } from '../../ui/format';
import { Loading, Problem } from '../../ui/problems';
import { isActive } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import { Panel } from './panel';
import type { Crawl } from './queries';
import { isKept } from './states';

const SHOWN = 25;

/** The pages of a crawl, the newest first, as they come. */
export function PagesPanel({ crawl }: { readonly crawl: Crawl }) {
  const say = useTexts(crawlsTexts);
  const { oid, slug } = useOrg();
  const { data, error, refetch } = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls/{crawl_id}/pages',
    { params: { path: { oid, crawl_id: crawl.id }, query: { pageSize: SHOWN, sortBy: 'ts', sortDirection: -1 } } },
    { refetchInterval: isActive(crawl.state) ? EVERY.live : false },
  );
  const total = data?.total ?? 0;
  const all = data && total > 0 && (
    <Group gap="xs">
      {isKept(crawl.state) && (
        <Anchor component={Link} to={`/o/${slug}/items/${crawl.id}?tab=pages`} size="sm">
          {say('allPages', { count: total })}
        </Anchor>
      )}
      <ExportCsv
        label={say('pages')}
        columns={[
          { title: say('page'), csv: ({ url }) => url },
          { title: say('pageTitle'), csv: ({ title }) => title },
          { title: say('status'), csv: ({ status }) => status },
          { title: say('when'), csv: ({ ts }) => ts },
        ]}
        rows={() => everyRow(data)}
      />
    </Group>
  );
  return (
    <Panel title={say('pages')} aside={all}>
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : data.items.length === 0 ? (
        <Text c="dimmed" size="sm">
          {say('pagesNone')}
        </Text>
      ) : (
        <Table layout="fixed" verticalSpacing={6} aria-label={say('pages')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{say('page')}</Table.Th>
              <Table.Th w={72}>{say('status')}</Table.Th>
              <Table.Th w={150} visibleFrom="xs">
                {say('when')}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.items.map((page) => (
              <Table.Tr key={page.id}>
                <Table.Td>
                  <Stack gap={0}>
                    <Group gap={6} wrap="nowrap">
                      <Text size="sm" truncate dir="auto" title={page.title ?? undefined}>
                        {page.title || page.url}
                      </Text>
                      {page.isSeed && (
                        <Badge size="xs" variant="default" tt="none" style={{ flexShrink: 0 }}>
                          {say('seed')}
                        </Badge>
                      )}
                    </Group>
                    <Text size="xs" c="dimmed" truncate dir="ltr" title={page.url}>
                      {page.url}
                    </Text>
                  </Stack>
                </Table.Td>
                <Table.Td>
                  <Status status={page.status} isError={page.isError ?? false} />
                </Table.Td>
                <Table.Td visibleFrom="xs">
                  <Text size="sm">
                    <When at={page.ts} />
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}

function Status({ status, isError }: { readonly status: number | undefined; readonly isError: boolean }) {
  const isBad = isError || (status ?? 0) >= 400;
  return (
    <Badge variant="light" color={isBad ? 'red' : 'gray'} size="sm">
      {status || '–'}
    </Badge>
  );
}
