import { Group, Progress, Stack, Text } from '@mantine/core';
import { useIntl } from 'react-intl';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrgRecord } from '../../session/me';
import { Loading } from '../../ui/problems';
import { ByMonth } from './by-month';
import { Card } from './card';
import { homeTexts } from './home.texts';
import { minutesByMonth, minutesNow } from './usage';

/** Minutes that browsers crawled: of this month against the limit, and over the last year. */
export function Minutes() {
  const say = useTexts(homeTexts);
  const org = useOrgRecord();
  return (
    <Card title={say('minutesTitle')}>
      {org ? (
        <>
          <ThisMonth org={org} />
          <Months org={org} />
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

function Months({ org }: { readonly org: Schemas['OrgOut'] }) {
  const say = useTexts(homeTexts);
  const intl = useIntl();
  const rows = minutesByMonth(org);
  const { quota } = minutesNow(org);
  if (rows.every(({ values }) => values.crawling + values.qa === 0))
    return (
      <Text size="sm" c="dimmed">
        {say('noUsage')}
      </Text>
    );
  return (
    <ByMonth
      title={say('minutesChart')}
      text={say('minutesChartText')}
      rows={rows}
      series={[
        { id: 'crawling', label: say('chartCrawling'), color: 'ink.6' },
        { id: 'qa', label: say('chartQa'), color: 'teal.6' },
      ]}
      format={(value) => intl.formatNumber(value)}
      limit={quota > 0 ? { value: quota, label: say('chartLimit') } : undefined}
    />
  );
}
