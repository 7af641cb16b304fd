import { useIntl } from 'react-intl';

interface PeriodProps {
  readonly from?: string | null;
  readonly to?: string | null;
}

/** `May 3 – Jun 9, 2026`: the days of the oldest and the newest page. */
export function Period({ from, to }: PeriodProps) {
  const intl = useIntl();
  if (!from || !to) return <>–</>;
  return (
    <>{intl.formatDateTimeRange(new Date(from), new Date(to), { year: 'numeric', month: 'short', day: 'numeric' })}</>
  );
}
