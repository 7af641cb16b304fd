import { CronExpressionParser } from 'cron-parser';

/** A schedule as people choose it, in their own time. Days of the week: 0 is Sunday. */
export type Plan =
  | { readonly kind: 'none' }
  | { readonly kind: 'hourly'; readonly minute: number }
  | { readonly kind: 'daily'; readonly time: string }
  | { readonly kind: 'weekly'; readonly days: readonly number[]; readonly time: string }
  | { readonly kind: 'monthly'; readonly day: number; readonly time: string }
  | { readonly kind: 'custom'; readonly cron: string };

export const KINDS = ['none', 'hourly', 'daily', 'weekly', 'monthly', 'custom'] as const;
const DAY = 1440;

/** Minutes that this browser's time is ahead of UTC now. */
export const offsetNow = (): number => -new Date().getTimezoneOffset();

const pad = (value: number): string => String(value).padStart(2, '0');
const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (Number.isFinite(hours) ? hours : 0) * 60 + (Number.isFinite(minutes) ? minutes : 0);
};
/** Moves a time of day by minutes: the time it becomes, and by how many days it moves. */
function moved(minutes: number, by: number): { minute: number; hour: number; days: number } {
  const total = minutes + by;
  const inDay = ((total % DAY) + DAY) % DAY;
  return { minute: inDay % 60, hour: Math.floor(inDay / 60), days: Math.floor(total / DAY) };
}
const weekday = (day: number): number => ((day % 7) + 7) % 7;

/** The schedule as it is stored: five fields, in UTC. @param offset minutes that the person's time is ahead of UTC */
export function cronOf(plan: Plan, offset: number): string {
  switch (plan.kind) {
    case 'none':
      return '';
    case 'custom':
      return plan.cron.trim();
    case 'hourly':
      return `${String(moved(plan.minute, -offset).minute)} * * * *`;
    case 'daily':
    case 'weekly':
    case 'monthly': {
      const { minute, hour, days } = moved(minutesOf(plan.time), -offset);
      const at = `${String(minute)} ${String(hour)}`;
      if (plan.kind === 'daily') return `${at} * * *`;
      // A month has no day before its first that five fields could name: the first in UTC is the nearest.
      if (plan.kind === 'monthly') return `${at} ${String(Math.min(31, Math.max(1, plan.day + days)))} * *`;
      const on = plan.days.map((day) => weekday(day + days)).sort((a, b) => a - b);
      return `${at} * * ${on.join(',') || '*'}`;
    }
  }
}

const NUMBER = /^\d{1,2}$/;
const ALIASES: Readonly<Record<string, string>> = {
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Reads a stored schedule into the plan that makes it; one that no simple plan makes is `custom`. */
export function planOf(cron: string, offset: number): Plan {
  const text = cron.trim();
  if (text === '') return { kind: 'none' };
  const custom: Plan = { kind: 'custom', cron: text };
  const [minute = '', hour = '', day = '', month = '', days = '', ...rest] = (ALIASES[text] ?? text).split(/\s+/);
  if (rest.length > 0 || month !== '*' || !NUMBER.test(minute)) return custom;
  if (hour === '*') return day === '*' && days === '*' ? hourly(Number(minute), offset) : custom;
  if (!NUMBER.test(hour)) return custom;
  const local = moved(Number(hour) * 60 + Number(minute), offset);
  const time = `${pad(local.hour)}:${pad(local.minute)}`;
  if (day === '*' && days === '*') return { kind: 'daily', time };
  if (day === '*' && /^[0-7](,[0-7])*$/.test(days)) {
    const on = days.split(',').map((one) => weekday(Number(one) + local.days));
    return { kind: 'weekly', days: [...new Set(on)].sort((a, b) => a - b), time };
  }
  if (days === '*' && NUMBER.test(day)) {
    const plan: Plan = { kind: 'monthly', day: Number(day) + local.days, time };
    return cronOf(plan, offset) === text && plan.day >= 1 && plan.day <= 31 ? plan : custom;
  }
  return custom;
}

const hourly = (minute: number, offset: number): Plan => ({
  kind: 'hourly',
  minute: moved(minute, offset).minute,
});

/** The next runs of a stored schedule; null when it cannot be read. */
export function nextRuns(cron: string, count: number, from: Date = new Date()): readonly Date[] | null {
  const every = /^@every\s+((?:\d+(?:\.\d+)?[smh])+)$/.exec(cron.trim());
  if (every) return repeated(every[1] ?? '', count, from);
  try {
    const parts = cron.trim().split(/\s+/).length;
    if (!cron.startsWith('@') && parts !== 5 && parts !== 6) return null;
    const found = CronExpressionParser.parse(cron.trim(), { currentDate: from, tz: 'UTC' });
    return found.take(count).map((date) => date.toDate());
  } catch {
    return null;
  }
}

function repeated(length: string, count: number, from: Date): readonly Date[] {
  const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };
  const parts = [...length.matchAll(/(\d+(?:\.\d+)?)([smh])/g)];
  const ms = parts.reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (units[unit] ?? 0), 0);
  return Array.from({ length: count }, (_, i) => new Date(from.getTime() + (i + 1) * Math.max(1000, ms)));
}

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
