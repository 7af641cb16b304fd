import { ColorSwatch, Group, Progress, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useBytes } from '../../ui/format';
import { Loading } from '../../ui/problems';
import { ByMonth } from './by-month';
import { Card } from './card';
import { homeTexts } from './home.texts';
import { useMetrics } from './queries';
import { storageByMonth } from './usage';

interface Part {
  readonly id: 'crawls' | 'uploads' | 'profiles' | 'others';
  readonly bytes: number;
  readonly color: string;
}

const partsOf = (metrics: Schemas['OrgMetrics']): readonly Part[] => [
  { id: 'crawls', bytes: metrics.storageUsedCrawls, color: 'ink.6' },
  { id: 'uploads', bytes: metrics.storageUsedUploads, color: 'teal.6' },
  { id: 'profiles', bytes: metrics.storageUsedProfiles, color: 'orange.5' },
  {
    id: 'others',
    bytes: metrics.storageUsedSeedFiles + metrics.storageUsedThumbnails + metrics.storageUsedDedupeIndexes,
    color: 'grape.5',
  },
];

/** Bytes stored, by what they are, against the org's limit. */
export function Storage() {
  const say = useTexts(homeTexts);
  const { data: metrics } = useMetrics();
  if (!metrics)
    return (
      <Card title={say('storageTitle')}>
        <Loading />
      </Card>
    );
  return (
    <Card title={say('storageTitle')}>
      <Meter metrics={metrics} />
      <Months metrics={metrics} />
    </Card>
  );
}

function Meter({ metrics }: { readonly metrics: Schemas['OrgMetrics'] }) {
  const say = useTexts(homeTexts);
  const bytes = useBytes();
  const { storageUsedBytes: used, storageQuotaBytes: quota } = metrics;
  const parts = partsOf(metrics);
  const whole = Math.max(1, used, quota);
  return (
    <Stack gap="sm">
      <Text fz={24} fw={600} lh={1.25}>
        {quota > 0 ? say('storageOf', { used: bytes(used), quota: bytes(quota) }) : bytes(used)}
      </Text>
      <Progress.Root size={14} aria-hidden>
        {parts.map(({ id, bytes: size, color }) => (
          <Progress.Section key={id} value={(100 * size) / whole} color={color} aria-hidden />
        ))}
      </Progress.Root>
      <Text size="sm" c="dimmed">
        {quota > 0 ? say('storageMeter', { percent: Math.round((100 * used) / quota) }) : say('storageNoQuota')}
      </Text>
      <Stack gap={4}>
        {parts.map(({ id, bytes: size, color }) => (
          <Group key={id} gap="xs" wrap="nowrap">
            <ColorSwatch
              size={10}
              radius={2}
              withShadow={false}
              color={`var(--mantine-color-${color.replace('.', '-')})`}
            />
            <Text size="sm" flex={1}>
              {say(`part_${id}`)}
            </Text>
            <Text size="sm">{bytes(size)}</Text>
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}

function Months({ metrics }: { readonly metrics: Schemas['OrgMetrics'] }) {
  const say = useTexts(homeTexts);
  const bytes = useBytes();
  const { storageQuotaBytes: quota } = metrics;
  return (
    <ByMonth
      title={say('storageChart')}
      text={say('storageChartText')}
      rows={storageByMonth(metrics)}
      series={[{ id: 'stored', label: say('chartStored'), color: 'ink.6' }]}
      format={bytes}
      limit={quota > 0 ? { value: quota, label: say('chartLimit') } : undefined}
    />
  );
}
