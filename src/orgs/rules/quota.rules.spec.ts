import {
  isExecMinutesQuotaReached,
  isStorageQuotaReached,
  pageLimitOf,
  quotaChangeOf,
  spendingOf,
  writeBlockOf,
} from './quota.rules.js';

const month = '2026-11';

/** An org with execution time of each kind, in minutes. `add` spends seconds and returns what is stored then. */
function purses(monthly: number, gifted: number, extra: number) {
  const org = {
    quotas: { maxExecMinutesPerMonth: monthly, giftedExecMinutes: gifted, extraExecMinutes: extra },
    bytesStored: 0,
    monthlyExecSeconds: {} as Record<string, number>,
    giftedExecSecondsAvailable: gifted * 60,
    extraExecSecondsAvailable: extra * 60,
  };
  const spent = { gifted: 0, extra: 0 };
  const add = (seconds: number) => {
    const part = spendingOf(org, month, seconds);
    org.monthlyExecSeconds[month] = (org.monthlyExecSeconds[month] ?? 0) + part.monthly;
    org.giftedExecSecondsAvailable -= part.gifted;
    org.extraExecSecondsAvailable -= part.extra;
    spent.gifted += part.gifted;
    spent.extra += part.extra;
    return {
      spent: [org.monthlyExecSeconds[month], spent.gifted, spent.extra],
      left: [org.giftedExecSecondsAvailable, org.extraExecSecondsAvailable],
      reached: isExecMinutesQuotaReached(org, month),
    };
  };
  return { org, add };
}

describe('execution time', () => {
  it('is counted in no purse when no minute quota is set', () => {
    expect(purses(0, 0, 0).add(100)).toEqual({ spent: [0, 0, 0], left: [0, 0], reached: false });
  });

  it('fills the monthly quota and no more', () => {
    const { add } = purses(1, 0, 0);
    expect(add(50)).toMatchObject({ spent: [50, 0, 0], reached: false });
    expect(add(30)).toMatchObject({ spent: [60, 0, 0], reached: true });
    expect(add(10)).toMatchObject({ spent: [60, 0, 0], reached: true });
  });

  it('is taken from monthly, gifted, extra, in this order, each down to 0', () => {
    const { add } = purses(1, 1, 2);
    expect(add(50)).toEqual({ spent: [50, 0, 0], left: [60, 120], reached: false });
    expect(add(40)).toEqual({ spent: [60, 30, 0], left: [30, 120], reached: false });
    expect(add(100)).toEqual({ spent: [60, 60, 70], left: [0, 50], reached: false });
    expect(add(100)).toEqual({ spent: [60, 60, 120], left: [0, 0], reached: true });
    expect(add(5)).toEqual({ spent: [60, 60, 120], left: [0, 0], reached: true });
  });

  it('is taken from extra alone when that is all there is', () => {
    const { add } = purses(0, 0, 1);
    expect(add(50)).toEqual({ spent: [0, 0, 50], left: [0, 10], reached: false });
    expect(add(20)).toEqual({ spent: [0, 0, 60], left: [0, 0], reached: true });
  });

  it('gives nothing back when the monthly quota was lowered below what is used', () => {
    const { org, add } = purses(10, 0, 0);
    add(600);
    org.quotas.maxExecMinutesPerMonth = 5;
    expect(add(10)).toMatchObject({ spent: [600, 0, 0], reached: true });
  });

  it('starts again in another month', () => {
    const { org, add } = purses(1, 0, 0);
    add(60);
    expect(isExecMinutesQuotaReached(org, '2026-12')).toBe(false);
  });
});

describe('changing quotas', () => {
  it('moves the balance by the difference, not below 0', () => {
    let org = { quotas: { extraExecMinutes: 10 }, bytesStored: 0, extraExecSecondsAvailable: 600 } as Parameters<
      typeof quotaChangeOf
    >[0];
    org = { ...org, extraExecSecondsAvailable: 600 - spendingOf(org, month, 300).extra };
    expect(org.extraExecSecondsAvailable).toBe(300);
    for (const [minutes, available] of [
      [6, 60],
      [2, 0],
      [4, 120],
    ] as const) {
      const change = quotaChangeOf(org, { extraExecMinutes: minutes }, 'set');
      expect(change.extraExecSecondsAvailable).toBe(available);
      org = { ...org, quotas: change.quotas, extraExecSecondsAvailable: change.extraExecSecondsAvailable };
    }
  });

  it('sets only what was sent and records the rest as 0', () => {
    const org = { quotas: { storageQuota: 5, maxConcurrentCrawls: 2 }, bytesStored: 0 };
    const change = quotaChangeOf(org, { storageQuota: -1, maxConcurrentCrawls: null }, 'set');
    expect(change.quotas).toMatchObject({ storageQuota: -1, maxConcurrentCrawls: 2 });
    expect(change.update).toMatchObject({ storageQuota: -1, maxConcurrentCrawls: 0 });
  });

  it('adds, not below 0, and records the resulting quotas', () => {
    const org = { quotas: { extraExecMinutes: 10, storageQuota: 7 }, bytesStored: 0, extraExecSecondsAvailable: 600 };
    const more = quotaChangeOf(org, { extraExecMinutes: 5 }, 'add');
    expect(more.update).toMatchObject({ extraExecMinutes: 15, storageQuota: 7 });
    expect(more.extraExecSecondsAvailable).toBe(900);
    const less = quotaChangeOf(org, { extraExecMinutes: -30 }, 'add');
    expect(less.quotas.extraExecMinutes).toBe(0);
    expect(less.extraExecSecondsAvailable).toBe(0);
  });
});

describe('the write check', () => {
  const org = {
    readOnly: true,
    quotas: { storageQuota: 100, maxExecMinutesPerMonth: 1 },
    bytesStored: 100,
    monthlyExecSeconds: { [month]: 60 },
  };

  it('names read-only first, then storage, then time', () => {
    expect(writeBlockOf(org, { month, includeTime: true })).toBe('org_set_to_read_only');
    expect(writeBlockOf({ ...org, readOnly: false }, { month, includeTime: true })).toBe('storage_quota_reached');
    const roomy = { ...org, readOnly: false, bytesStored: 99 };
    expect(writeBlockOf(roomy, { month, includeTime: true })).toBe('exec_minutes_quota_reached');
    expect(writeBlockOf(roomy, { month, includeTime: false })).toBeNull();
  });

  it('counts bytes that are still being written', () => {
    expect(isStorageQuotaReached({ quotas: { storageQuota: 100 }, bytesStored: 40 }, 59)).toBe(false);
    expect(isStorageQuotaReached({ quotas: { storageQuota: 100 }, bytesStored: 40 }, 60)).toBe(true);
    expect(isStorageQuotaReached({ quotas: null, bytesStored: 40 }, 1e15)).toBe(false);
  });
});

describe('the page limit', () => {
  it.each([
    [0, 5, 5],
    [0, null, null],
    [10, 5, 5],
    [10, 50, 10],
    [10, 0, 10],
    [10, null, 10],
  ])('with quota %s and limit %s is %s', (maxPagesPerCrawl, limit, expected) => {
    expect(pageLimitOf({ quotas: { maxPagesPerCrawl } }, limit)).toBe(expected);
  });
});
