import { Button, Group, Progress, SimpleGrid, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { api, client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { ROLE, useOrg } from '../../session/me';
import { DataList, type Column } from '../../ui/data-list';
import { duration, useBytes } from '../../ui/format';
import { Problem } from '../../ui/problems';
import { NO_QUOTAS, QuotaFields, type Quotas } from '../../ui/quotas/quota-fields';
import { Section } from '../../ui/section';
import { useChange, usePath, type OrgRecord } from './queries';
import { settingsTexts } from './settings.texts';

export function UsageTab({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const { role } = useOrg();
  return (
    <>
      <Meters record={record} />
      <StoredKinds record={record} />
      <Section title={say('months')} lead={say('monthsLead')}>
        <Months record={record} />
      </Section>
      {role >= ROLE.superuser && <QuotaForm record={record} />}
    </>
  );
}

interface MeterProps {
  readonly label: string;
  readonly used: number;
  /** 0: there is no limit. */
  readonly quota?: number;
  readonly shown: (value: number) => string;
}

/** How much of a quota is used; without a quota only what is used. */
function Meter({ label, used, quota, shown }: MeterProps) {
  const say = useTexts(settingsTexts);
  const share = quota ? Math.min(100, (used / quota) * 100) : 0;
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Text size="xl" fw={600}>
        {shown(used)}
      </Text>
      {!!quota && (
        <Progress
          value={share}
          color={share >= 100 ? 'red' : share >= 80 ? 'yellow' : undefined}
          aria-label={label}
          my={4}
        />
      )}
      {quota !== undefined && (
        <Text size="sm" c="dimmed">
          {quota > 0 ? say('ofQuota', { quota: shown(quota) }) : say('noQuota')}
        </Text>
      )}
    </div>
  );
}

function Meters({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const intl = useIntl();
  const bytes = useBytes();
  const params = usePath();
  const metrics = api.useQuery('get', '/api/orgs/{oid}/metrics', { params });
  const quotas = { ...NO_QUOTAS, ...record.quotas };
  const month = new Date().toISOString().slice(0, 7);
  const minutes = (seconds: number): string => duration(seconds);
  const count = (value: number): string => intl.formatNumber(value);
  return (
    <Section title={say('now')}>
      {metrics.error && <Problem error={metrics.error} />}
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="xl">
        <Meter label={say('storage')} used={record.bytesStored} quota={quotas.storageQuota} shown={bytes} />
        <Meter
          label={say('minutesThisMonth')}
          used={record.monthlyExecSeconds?.[month] ?? 0}
          quota={quotas.maxExecMinutesPerMonth * 60}
          shown={minutes}
        />
        <Meter
          label={say('runningNow')}
          used={metrics.data?.workflowsRunningCount ?? 0}
          quota={quotas.maxConcurrentCrawls}
          shown={count}
        />
        <Meter label={say('archivedItems')} used={metrics.data?.archivedItemCount ?? 0} shown={count} />
      </SimpleGrid>
      <Text size="sm">
        {say('pagesPerCrawl', { limit: quotas.maxPagesPerCrawl > 0 ? count(quotas.maxPagesPerCrawl) : say('noQuota') })}
        {quotas.giftedExecMinutes > 0 &&
          ` · ${say('giftedLeft', { time: duration(record.giftedExecSecondsAvailable ?? 0) })}`}
        {quotas.extraExecMinutes > 0 &&
          ` · ${say('extraLeft', { time: duration(record.extraExecSecondsAvailable ?? 0) })}`}
      </Text>
    </Section>
  );
}

function StoredKinds({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const bytes = useBytes();
  const params = usePath();
  const save = useChange();
  const kinds = [
    ['crawls', record.bytesStoredCrawls, 'blue'],
    ['uploads', record.bytesStoredUploads, 'teal'],
    ['profiles', record.bytesStoredProfiles, 'orange'],
    ['seedFiles', record.bytesStoredSeedFiles ?? 0, 'grape'],
    ['thumbnails', record.bytesStoredThumbnails ?? 0, 'pink'],
    ['indexes', record.bytesStoredDedupeIndexes ?? 0, 'gray'],
  ] as const;
  const recount = (): Promise<boolean> =>
    save(() => client.POST('/api/orgs/{oid}/recalculate-storage', { params }), say('recountStarted'));
  return (
    <Section
      title={say('storedBy')}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => void recount()}
        >
          {say('recount')}
        </Button>
      }
    >
      <Progress.Root size="lg" aria-hidden>
        {kinds.map(([kind, stored, color]) => (
          <Progress.Section
            key={kind}
            value={(stored / (record.bytesStored || 1)) * 100}
            color={color}
            withAria={false}
          />
        ))}
      </Progress.Root>
      <Group gap="xl">
        {kinds.map(([kind, stored, color]) => (
          <Group key={kind} gap={6}>
            <span
              style={{ width: 10, height: 10, borderRadius: 2, background: `var(--mantine-color-${color}-filled)` }}
            />
            <Text size="sm">
              {say(`stored_${kind}`)}: {bytes(stored)}
            </Text>
          </Group>
        ))}
      </Group>
    </Section>
  );
}

interface Month {
  readonly month: string;
  readonly crawling: number;
  readonly qa: number;
  readonly elapsed: number;
  readonly gifted: number;
  readonly extra: number;
}

function Months({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const intl = useIntl();
  const names = new Set(
    [record.usage, record.crawlExecSeconds, record.qaCrawlExecSeconds, record.monthlyExecSeconds].flatMap((months) =>
      Object.keys(months ?? {}),
    ),
  );
  const rows: Month[] = [...names]
    .sort((a, b) => b.localeCompare(a))
    .map((month) => ({
      month,
      crawling: record.crawlExecSeconds?.[month] ?? 0,
      qa: record.qaCrawlExecSeconds?.[month] ?? 0,
      elapsed: record.usage?.[month] ?? 0,
      gifted: record.giftedExecSeconds?.[month] ?? 0,
      extra: record.extraExecSeconds?.[month] ?? 0,
    }));
  const time = (id: Exclude<keyof Month, 'month'>, from?: 'sm'): Column<Month> => ({
    id,
    title: say(`month_${id}`),
    align: 'end',
    ...(from ? { from } : {}),
    cell: (row) => duration(row[id]),
    csv: (row) => row[id],
  });
  const columns: readonly Column<Month>[] = [
    {
      id: 'month',
      title: say('month'),
      cell: ({ month }) => intl.formatDate(`${month}-15`, { year: 'numeric', month: 'long' }),
      csv: ({ month }) => month,
    },
    time('crawling'),
    time('qa', 'sm'),
    time('elapsed', 'sm'),
    time('gifted', 'sm'),
    time('extra', 'sm'),
  ];
  return (
    <DataList<Month>
      label={say('months')}
      columns={columns}
      query={{ data: { items: rows, total: rows.length }, error: null, isPending: false, refetch: () => undefined }}
      idOf={({ month }) => month}
      nameOf={({ month }) => month}
      pageSize={1000}
      search={{}}
      onSearch={() => undefined}
      order={{ sortBy: 'month', dir: -1 }}
      empty={
        <Text size="sm" c="dimmed">
          {say('noMonths')}
        </Text>
      }
    />
  );
}

function QuotaForm({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const save = useChange();
  const stored: Quotas = { ...NO_QUOTAS, ...record.quotas };
  const [quotas, setQuotas] = useState(stored);
  const changed = Object.entries(quotas).filter(([name, value]) => value !== stored[name as keyof Quotas]);
  return (
    <Section title={say('quotas')} lead={say('quotasLead')} isNarrow>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const body = Object.fromEntries(changed);
          void save(() => client.POST('/api/orgs/{oid}/quotas', { params, body }));
        }}
      >
        <QuotaFields quotas={quotas} onChange={setQuotas} />
        <Group mt="md">
          <Button type="submit" disabled={changed.length === 0}>
            {say('saveQuotas')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}
