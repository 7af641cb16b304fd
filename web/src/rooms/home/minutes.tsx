import { Button, Group, Progress, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useIntl } from 'react-intl';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrgRecord } from '../../session/me';
import { Count } from '../../ui/format';
import { Loading } from '../../ui/problems';
import { Card } from './card';
import { homeTexts } from './home.texts';
import { minutesNow, usageByMonth, type MonthOfUse } from './usage';

// Charts weigh more than the rest of the dashboard, which does not wait for them.
const MonthsChart = lazy(() => import('./months-chart'));

/** Minutes that browsers crawled: of this month against the limit, and over the last year. */
export function Minutes() {
  const say = useTexts(homeTexts);
  const org = useOrgRecord();
  return (
    <Card title={say('minutesTitle')}>
      {org ? (
        <>
          <ThisMonth org={org} />
          <Months months={usageByMonth(org)} />
        </>
      ) : (
        <Loading />
      )}
    </Card>
  );
}

function ThisMonth({ org }: { readonly org: Schemas['OrgOut'] }) {
  const say = useTexts(homeTexts);
  const intl = useIntl();
  const { used, quota, giftedLeft, extraLeft } = minutesNow(org);
  const inWords = (count: number): string =>
    intl.formatNumber(count, { style: 'unit', unit: 'minute', unitDisplay: 'short' });
  const percent = quota > 0 ? Math.round((100 * used) / quota) : 0;
  return (
    <Stack gap="sm">
      <Text fz={24} fw={600} lh={1.25}>
        {quota > 0
          ? say('minutesOf', { used: inWords(used), quota: inWords(quota) })
          : say('minutesThisMonth', { used: inWords(used) })}
      </Text>
      {quota > 0 && (
        <>
          <Progress value={percent} color={percent >= 100 ? 'red.7' : undefined} size={14} aria-hidden />
          <Text size="sm" c="dimmed">
            {say('minutesMeter', { percent })}
          </Text>
        </>
      )}
      {(giftedLeft > 0 || extraLeft > 0) && (
        <Group gap="lg">
          {giftedLeft > 0 && <Text size="sm">{say('giftedLeft', { count: giftedLeft })}</Text>}
          {extraLeft > 0 && <Text size="sm">{say('extraLeft', { count: extraLeft })}</Text>}
        </Group>
      )}
    </Stack>
  );
}

function Months({ months }: { readonly months: readonly MonthOfUse[] }) {
  const say = useTexts(homeTexts);
  const intl = useIntl();
  const [isTable, setTable] = useState(false);
  if (months.every(({ crawling, qa }) => crawling + qa === 0))
    return (
      <Text size="sm" c="dimmed">
        {say('noUsage')}
      </Text>
    );
  const named = months.map((one) => ({
    ...one,
    name: intl.formatDate(`${one.month}-01T00:00:00Z`, { month: 'short', year: '2-digit', timeZone: 'UTC' }),
  }));
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {say('minutesChart')}
        </Text>
        <Button size="compact-xs" variant="subtle" onClick={() => setTable(!isTable)}>
          {say(isTable ? 'asChart' : 'asTable')}
        </Button>
      </Group>
      {isTable ? (
        <MonthsTable months={named} />
      ) : (
        <div role="img" aria-label={say('minutesChartText')}>
          <Suspense fallback={<Loading />}>
            <MonthsChart months={named} names={{ crawling: say('chartCrawling'), qa: say('chartQa') }} />
          </Suspense>
        </div>
      )}
    </Stack>
  );
}

function MonthsTable({ months }: { readonly months: readonly (MonthOfUse & { readonly name: string })[] }) {
  const say = useTexts(homeTexts);
  return (
    <ScrollArea.Autosize mah={220} viewportProps={{ tabIndex: 0 }}>
      <Table aria-label={say('minutesChart')} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('month')}</Table.Th>
            <Table.Th ta="end">{say('chartCrawling')}</Table.Th>
            <Table.Th ta="end">{say('chartQa')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...months].reverse().map(({ month, name, crawling, qa }) => (
            <Table.Tr key={month}>
              <Table.Td>{name}</Table.Td>
              <Table.Td ta="end">
                <Count value={crawling} />
              </Table.Td>
              <Table.Td ta="end">
                <Count value={qa} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}
