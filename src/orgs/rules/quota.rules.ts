import { InputRefused, type Loc } from '../../common/validation/issue.js';
import { QUOTA_NAMES, type Org, type Quotas, type SecondsByMonth } from '../data/org.schema.js';

/** Returns the calendar month of a moment in UTC, which is the key of the usage maps. */
export const monthOf = (date: Date): string => date.toISOString().slice(0, 7);

/** Returns quotas with every member. Members that older documents lack are 0. */
export const quotasOf = (org: Pick<Org, 'quotas'>): Quotas =>
  Object.fromEntries(QUOTA_NAMES.map((name) => [name, org.quotas?.[name] ?? 0])) as unknown as Quotas;

const secondsIn = (map: SecondsByMonth | null | undefined, month: string): number => map?.[month] ?? 0;

type Measured = Pick<
  Org,
  'quotas' | 'bytesStored' | 'monthlyExecSeconds' | 'extraExecSecondsAvailable' | 'giftedExecSecondsAvailable'
>;

/**
 * Whether the org may store nothing more. Contract: accounts §8.1.
 * @param extraBytes bytes that are not in the org's counter yet, e.g. those of running crawls
 */
export function isStorageQuotaReached(org: Pick<Org, 'quotas' | 'bytesStored'>, extraBytes = 0): boolean {
  const { storageQuota } = quotasOf(org);
  return storageQuota !== 0 && (org.bytesStored ?? 0) + extraBytes >= storageQuota;
}

/** Whether no execution time of any kind is left. Contract: accounts §8.1, where the first match wins. */
export function isExecMinutesQuotaReached(org: Measured, month: string): boolean {
  const { maxExecMinutesPerMonth: monthly, giftedExecMinutes: gifted, extraExecMinutes: extra } = quotasOf(org);
  if (monthly === 0 && gifted === 0 && extra === 0) return false;
  if (gifted > 0 && (org.giftedExecSecondsAvailable ?? 0) > 0) return false;
  if (extra > 0 && (org.extraExecSecondsAvailable ?? 0) > 0) return false;
  return !(monthly > 0 && Math.floor(secondsIn(org.monthlyExecSeconds, month) / 60) < monthly);
}

export type WriteBlock = 'org_set_to_read_only' | 'storage_quota_reached' | 'exec_minutes_quota_reached';

/** Returns why the org may not write, or null when it may. Contract: accounts §8.1 `canWriteData`. */
export function writeBlockOf(
  org: Measured & Pick<Org, 'readOnly'>,
  { month, includeTime, extraBytes = 0 }: { month: string; includeTime: boolean; extraBytes?: number },
): WriteBlock | null {
  if (org.readOnly) return 'org_set_to_read_only';
  if (isStorageQuotaReached(org, extraBytes)) return 'storage_quota_reached';
  if (includeTime && isExecMinutesQuotaReached(org, month)) return 'exec_minutes_quota_reached';
  return null;
}

/** Seconds taken from each kind of execution time. */
export interface Spending {
  readonly monthly: number;
  readonly gifted: number;
  readonly extra: number;
}

/**
 * Returns how much monthly, gifted and extra time pays for execution time, in this order. Contract: accounts §8.3 steps
 * 2–4, D16.
 */
export function spendingOf(org: Measured, month: string, seconds: number): Spending {
  const { maxExecMinutesPerMonth, giftedExecMinutes, extraExecMinutes } = quotasOf(org);
  if (maxExecMinutesPerMonth === 0 && giftedExecMinutes === 0 && extraExecMinutes === 0)
    return { monthly: 0, gifted: 0, extra: 0 };
  const remaining = Math.max(0, maxExecMinutesPerMonth * 60 - secondsIn(org.monthlyExecSeconds, month));
  const monthly = Math.min(seconds, remaining);
  const gifted = Math.min(seconds - monthly, Math.max(0, org.giftedExecSecondsAvailable ?? 0));
  const extra = Math.min(seconds - monthly - gifted, Math.max(0, org.extraExecSecondsAvailable ?? 0));
  return { monthly, gifted, extra };
}

/** Quota members as sent. Null and absent members stay as they are. */
export type SentQuotas = { readonly [K in keyof Quotas]?: number | null };

/**
 * The largest quota. Minutes are also stored as seconds, so a sixtieth of the largest exact number bounds all quotas.
 */
const LARGEST_QUOTA = Math.floor(Number.MAX_SAFE_INTEGER / 60);

/** Checks the sent numbers. @throws InputRefused 422 for numbers that could not be stored exactly (accounts §8.2) */
export function assertQuotas(sent: SentQuotas, loc: Loc): void {
  const tooLarge = QUOTA_NAMES.filter((name) => Math.abs(sent[name] ?? 0) > LARGEST_QUOTA);
  if (tooLarge.length === 0) return;
  const msg = 'Unable to parse input string as an integer, exceeded maximum size';
  throw new InputRefused(
    tooLarge.map((name) => ({ type: 'int_parsing_size', loc: [...loc, name], msg, input: sent[name] })),
  );
}

export interface QuotaChange {
  readonly quotas: Quotas;
  /** The quotas that `quotaUpdates` records. */
  readonly update: Quotas;
  readonly extraExecSecondsAvailable: number;
  readonly giftedExecSecondsAvailable: number;
}

/**
 * Works out a change of quotas. `set` replaces the members that were sent; `add` adds to them, not below 0. Contract:
 * accounts §8.2.
 */
export function quotaChangeOf(org: Measured, sent: SentQuotas, mode: 'set' | 'add'): QuotaChange {
  const before = quotasOf(org);
  const quotas: Quotas = { ...before };
  for (const name of QUOTA_NAMES) {
    const value = sent[name];
    if (value === null || value === undefined) continue;
    quotas[name] = mode === 'set' ? value : before[name] + Math.max(value, -before[name]);
  }
  const inForce: SentQuotas = mode === 'set' ? sent : quotas;
  const update = Object.fromEntries(QUOTA_NAMES.map((name) => [name, inForce[name] ?? 0])) as unknown as Quotas;
  const available = (name: 'extraExecMinutes' | 'giftedExecMinutes', left: number | null | undefined): number =>
    Math.max(0, (left ?? 0) + (quotas[name] - before[name]) * 60);
  return {
    quotas,
    update,
    extraExecSecondsAvailable: available('extraExecMinutes', org.extraExecSecondsAvailable),
    giftedExecSecondsAvailable: available('giftedExecMinutes', org.giftedExecSecondsAvailable),
  };
}

/**
 * Returns the page limit of a crawl or QA run: the lower of the given limit and the org's. 0 or null means none.
 * Contract: accounts §8.1.
 */
export function pageLimitOf(org: Pick<Org, 'quotas'>, limit: number | null | undefined): number | null {
  const { maxPagesPerCrawl } = quotasOf(org);
  if (maxPagesPerCrawl <= 0) return limit ?? null;
  return limit && limit > 0 ? Math.min(limit, maxPagesPerCrawl) : maxPagesPerCrawl;
}
