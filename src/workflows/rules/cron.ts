/** Cron schedules: which texts `schedule` may hold, and when they fire, in UTC. Contract: crawling §12.1. */
import { CronExpressionParser } from 'cron-parser';
import { own } from '../../common/objects/own.js';

interface FieldRule {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
  /** Whether `?` may stand alone. It restricts nothing. */
  readonly any?: boolean;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const SECOND: FieldRule = { min: 0, max: 59 };
const MINUTE: FieldRule = { min: 0, max: 59 };
const HOUR: FieldRule = { min: 0, max: 23 };
const DAY_OF_MONTH: FieldRule = { min: 1, max: 31, any: true };
const MONTH: FieldRule = { min: 1, max: 12, names: MONTHS };
const DAY_OF_WEEK: FieldRule = { min: 0, max: 7, names: DAYS, any: true };
const RULES = [SECOND, MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK];

const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

export type Cron =
  | { readonly kind: 'every'; readonly ms: number }
  /** Plain lists of values and `*`, which every parser reads alike. */
  | { readonly kind: 'fields'; readonly fields: string }
  | { readonly kind: 'never' };

function valueOf(text: string, { min, max, names }: FieldRule): number | null {
  const named = names?.indexOf(text) ?? -1;
  if (named >= 0) return named + (names === MONTHS ? 1 : 0);
  if (!/^\d{1,2}$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

/**
 * Adds the values of `*`, a value or `a-b`, each with an optional step. `5/15` counts from 5 to the end.
 * @returns false when the item is not valid
 */
function parseItem(item: string, rule: FieldRule, values: Set<number>): boolean {
  const match = /^(\*|[A-Z0-9]+)(?:-([A-Z0-9]+))?(?:\/(\d{1,4}))?$/.exec(item);
  if (!match) return false;
  const [, first = '', last, stepText] = match;
  if (first === '*' && last !== undefined) return false;
  const from = first === '*' ? rule.min : valueOf(first, rule);
  const openEnd = first === '*' || stepText !== undefined ? rule.max : from;
  const to = last === undefined ? openEnd : valueOf(last, rule);
  const step = stepText === undefined ? 1 : Number(stepText);
  if (from === null || to === null || from > to || step < 1) return false;
  for (let value = from; value <= to; value += step) values.add(value);
  return true;
}

/**
 * Returns the values as a list, or `*` for a field that restricts nothing. A list beside it would narrow the other day
 * field.
 * @returns null when the text is not valid
 */
function parseField(text: string, rule: FieldRule): string | null {
  if (text === '?') return rule.any ? '*' : null;
  const values = new Set<number>();
  if (!text.split(',').every((item) => parseItem(item, rule, values))) return null;
  // 7 means Sunday, as 0 does.
  if (rule === DAY_OF_WEEK && values.delete(7)) values.add(0);
  return /^\*(?:\/1)?$/.test(text) ? '*' : [...values].sort((a, b) => a - b).join(',');
}

function parseEvery(duration: string): Cron | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(duration)) return null;
  let ms = 0;
  for (const [, amount = '', unit = ''] of duration.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g))
    ms += Number(amount) * (UNIT_MS[unit] ?? 0);
  // The finest step of a schedule is one second, so the length is whole seconds and at least one.
  return { kind: 'every', ms: Math.max(1, Math.floor(ms / 1000)) * 1000 };
}

/** Reads a schedule. @returns null when the text is none */
export function parseCron(text: string): Cron | null {
  if (text.length > 100 || /[\r\n]/.test(text)) return null;
  const schedule = text.trim();
  const every = /^@every\s+(\S+)$/.exec(schedule);
  if (every) return parseEvery(every[1] ?? '');
  const parts = (own(DESCRIPTORS, schedule) ?? schedule).split(/\s+/);
  if (parts.length === 5) parts.unshift('0');
  if (parts.length !== 6) return null;
  const fields = parts.map((part, i) => parseField(part, RULES[i] as FieldRule));
  return fields.includes(null) ? null : cronOf(fields.join(' '));
}

/**
 * Makes a schedule of parsed fields. The parser refuses days that no chosen month has (February 30). They are a valid
 * schedule that never fires.
 */
function cronOf(fields: string): Cron {
  try {
    CronExpressionParser.parse(fields);
    return { kind: 'fields', fields };
  } catch (error) {
    if ((error as Error).message !== 'Invalid explicit day of month definition') throw error;
    return { kind: 'never' };
  }
}

/** Returns the first firing after a moment, or the last one before it. */
const firingBeside = (fields: string, currentDate: Date, direction: 'next' | 'prev'): Date =>
  CronExpressionParser.parse(fields, { currentDate, tz: 'UTC' })[direction]().toDate();

/**
 * Returns the first firing strictly after a moment, or null when there is none, as on February 30.
 * @param origin the moment from which `@every` counts; `after` itself by default
 */
export function nextFiring(cron: Cron, after: Date, origin: Date = after): Date | null {
  if (cron.kind === 'never') return null;
  if (cron.kind === 'fields') return firingBeside(cron.fields, after, 'next');
  const elapsed = Math.max(0, after.getTime() - origin.getTime());
  return new Date(origin.getTime() + (Math.floor(elapsed / cron.ms) + 1) * cron.ms);
}

/**
 * Returns the latest firing up to `now`, given one that was due. After a downtime only this firing is left to start.
 * @param due a firing at or before `now`
 */
export function latestFiring(cron: Cron, due: Date, now: Date): Date {
  if (cron.kind === 'never') return due;
  if (cron.kind === 'every') {
    const passed = Math.floor((now.getTime() - due.getTime()) / cron.ms);
    return new Date(due.getTime() + Math.max(0, passed) * cron.ms);
  }
  // A firing at exactly `now` counts, so the search begins one millisecond later.
  const latest = firingBeside(cron.fields, new Date(now.getTime() + 1), 'prev');
  return latest > due ? latest : due;
}
