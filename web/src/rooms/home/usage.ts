import type { Schemas } from '../../api/client';

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

export interface MonthOfUse {
  readonly month: string;
  readonly crawling: number;
  readonly qa: number;
}

/** Minutes that browsers worked, month by month. */
export function usageByMonth({ crawlExecSeconds, qaCrawlExecSeconds }: Schemas['OrgOut']): readonly MonthOfUse[] {
  return lastMonths().map((month) => ({
    month,
    crawling: minutes(crawlExecSeconds?.[month]),
    qa: minutes(qaCrawlExecSeconds?.[month]),
  }));
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
