const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T t](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Numbers above this many seconds are milliseconds, as in the reference (2e10 s is the year 2603). */
const MILLISECONDS_FROM = 2e10;

function fromEpoch(number: number): Date | null {
  const ms = Math.abs(number) > MILLISECONDS_FROM ? number : number * 1000;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date;
}

function offsetMinutes(zone: string | undefined): number {
  if (!zone || zone.toUpperCase() === 'Z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return zone.startsWith('-') ? -minutes : minutes;
}

/** Reads the datetime forms of accounts §1.3. Any other value gives null. */
export function parseDateTime(value: unknown): Date | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value;
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return fromEpoch(Number(text));
  const match = ISO.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match;
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const fields = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [y, mo, d, h, mi, s] = fields;
  const date = new Date(Date.UTC(y, mo - 1, d, h, mi, s, ms));
  date.setUTCFullYear(y);
  const isReal = date.getUTCMonth() === mo - 1 && date.getUTCDate() === d && h < 24 && mi < 60 && s < 60;
  return isReal ? new Date(date.getTime() - offsetMinutes(zone) * 60_000) : null;
}

/** UTC with `Z`. There is no fraction when it is zero, else six digits (accounts §1.6). */
export function wireTime(date: Date): string {
  const iso = date.toISOString();
  return iso.endsWith('.000Z') ? `${iso.slice(0, 19)}Z` : `${iso.slice(0, 23)}000Z`;
}

/** Whole seconds, for times whose stored fraction only keeps the order of creation (`Clock.creationTime`). */
export const wireSecond = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

export const wireTimeOrNull = (date: Date | null | undefined): string | null => (date ? wireTime(date) : null);

export const wireSecondOrNull = (date: Date | null | undefined): string | null => (date ? wireSecond(date) : null);
