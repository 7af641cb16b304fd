import type { Schemas } from '../../api/client';
import type { MonthRow } from './by-month';

/** Seconds by month (`YYYY-MM`), as the API counts them in UTC. */
type ByMonth = Readonly<Record<string, number>> | null | undefined;

const MONTHS = 12;

/** The last twelve months as the API names them, the current one last. */
export function lastMonths(now: Date = new Date()): readonly string[] {
  return Array.from({ length: MONTHS }, (_, i) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1 - i), 1)).toISOString().slice(0, 7),
  );
}

const minutes = (seconds: number | undefined): number => Math.round(((seconds ?? 0) / 60) * 10) / 10;

/** Minutes that browsers worked, month by month. */
export const minutesByMonth = ({ crawlExecSeconds, qaCrawlExecSeconds }: Schemas['OrgOut']) =>
  lastMonths().map((month) => ({
    month,
    values: { crawling: minutes(crawlExecSeconds?.[month]), qa: minutes(qaCrawlExecSeconds?.[month]) },
  }));

/**
 * Bytes stored at the end of each month and now. A month without a change had what the one before it had; months before
 * the first that was counted are not known, and have none.
 */
export function storageByMonth({
  storageUsedByMonth: counted = {},
  storageUsedBytes,
}: Schemas['OrgMetrics']): readonly MonthRow[] {
  const months = lastMonths();
  const changes = Object.keys(counted).sort();
  return months.map((month, i) => {
    const last = changes.filter((change) => change <= month).at(-1);
    const stored = i === months.length - 1 ? storageUsedBytes : last && counted[last];
    const values: Record<string, number> = typeof stored === 'number' ? { stored } : {};
    return { month, values };
  });
}

export interface MinutesNow {
  readonly used: number;
  /** Of this month; 0: no limit. */
  readonly quota: number;
  readonly giftedLeft: number;
  readonly extraLeft: number;
}

const ofNow = (counted: ByMonth): number => counted?.[new Date().toISOString().slice(0, 7)] ?? 0;

/** This month's minutes against the limit. Where one is set, what it is used up by is counted apart (accounts §8.3). */
export function minutesNow(org: Schemas['OrgOut']): MinutesNow {
  const quota = org.quotas?.maxExecMinutesPerMonth ?? 0;
  return {
    used: Math.floor(ofNow(quota > 0 ? org.monthlyExecSeconds : org.crawlExecSeconds) / 60),
    quota,
    giftedLeft: Math.floor((org.giftedExecSecondsAvailable ?? 0) / 60),
    extraLeft: Math.floor((org.extraExecSecondsAvailable ?? 0) / 60),
  };
}
