import { Text, Tooltip } from '@mantine/core';
import { useIntl } from 'react-intl';
import { useTexts } from '../i18n/texts';
import { uiTexts } from './ui.texts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** `1.2 GB`, in the person's language, with steps of 1,000 as the API counts quotas. */
export function useBytes(): (bytes: number | null | undefined) => string {
  const intl = useIntl();
  return (bytes) => {
    if (bytes == null) return '–';
    const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
    const unit = UNITS[step] ?? 'byte';
    return intl.formatNumber(bytes / 1000 ** step, {
      style: 'unit',
      unit,
      unitDisplay: step === 0 ? 'long' : 'short',
      maximumFractionDigits: step === 0 ? 0 : 1,
    });
  };
}

/** `2 h 5 min`, `41 s`; of whole seconds. */
export function duration(seconds: number | null | undefined): string {
  if (seconds == null || !Number.isFinite(seconds)) return '–';
  const s = Math.max(0, Math.round(seconds));
  const [days, hours, minutes] = [Math.floor(s / 86_400), Math.floor((s % 86_400) / 3600), Math.floor((s % 3600) / 60)];
  if (days > 0) return `${String(days)} d ${String(hours)} h`;
  if (hours > 0) return `${String(hours)} h ${String(minutes)} min`;
  if (minutes > 0) return `${String(minutes)} min ${String(s % 60)} s`;
  return `${String(s)} s`;
}

export const Bytes = ({ value }: { readonly value: number | null | undefined }) => <>{useBytes()(value)}</>;

export const Count = ({ value }: { readonly value: number | null | undefined }) => {
  const intl = useIntl();
  return <>{value == null ? '–' : intl.formatNumber(value)}</>;
};

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['second', 60],
  ['minute', 3600],
  ['hour', 86_400],
  ['day', 86_400 * 14],
];
const LENGTH: Partial<Record<Intl.RelativeTimeFormatUnit, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 };

/** A moment: near ones in relation to now, others by date; the whole one in a tooltip. */
export function When({ at }: { readonly at: string | null | undefined }) {
  const intl = useIntl();
  const say = useTexts(uiTexts);
  if (!at)
    return (
      <Text span c="dimmed" inherit>
        {say('never')}
      </Text>
    );
  const whole = intl.formatDate(at, { dateStyle: 'full', timeStyle: 'medium' });
  return (
    <Tooltip label={whole}>
      <time dateTime={at}>{near(at, intl) ?? intl.formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })}</time>
    </Tooltip>
  );
}

function near(at: string, intl: ReturnType<typeof useIntl>): string | null {
  const away = (new Date(at).getTime() - Date.now()) / 1000;
  const step = STEPS.find(([, limit]) => Math.abs(away) < limit);
  if (!step) return null;
  const [unit] = step;
  return intl.formatRelativeTime(Math.round(away / (LENGTH[unit] ?? 1)), unit as 'second', { numeric: 'auto' });
}
