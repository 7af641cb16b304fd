import { parseCdxjLine } from '../../../formats/cdx/cdxj.js';

/** A line of an index. */
export interface Capture {
  readonly key: string;
  /** `YYYYMMDDhhmmss`, often with milliseconds. */
  readonly ts: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Names of other servers, by ours. */
const ALIASES: Readonly<Record<string, string>> = { original: 'url', mimetype: 'mime', statuscode: 'status' };
/** Fields of the output `text`, in the order of other servers. */
export const TEXT_FIELDS = ['urlkey', 'timestamp', 'url', 'mime', 'status', 'digest', 'length'] as const;

/** @param line with one character for each byte @returns null for what is no line of an index */
export const captureOf = (line: string): Capture | null => parseCdxjLine(Buffer.from(line, 'latin1').toString('utf8'));

/** A field as text; null where the capture has none. */
export function fieldOf({ key, ts, fields }: Capture, name: string): string | null {
  const field = ALIASES[name] ?? name;
  if (field === 'urlkey') return key;
  if (field === 'timestamp') return ts.slice(0, 14);
  const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);
}

/** The fields of a capture by name, `urlkey` and `timestamp` first. */
function shown(capture: Capture, names: readonly string[] | undefined): Record<string, string> {
  const list = names ?? ['urlkey', 'timestamp', ...Object.keys(capture.fields)];
  return Object.fromEntries(list.flatMap((name) => [[name, fieldOf(capture, name)] as const]).filter(isThere));
}
const isThere = (entry: readonly [string, string | null]): entry is readonly [string, string] => entry[1] !== null;

/** A line of the answer, without its end. */
export function written(
  capture: Capture,
  output: 'cdxj' | 'json' | 'text',
  names: readonly string[] | undefined,
): string {
  if (output === 'json') return JSON.stringify(shown(capture, names));
  if (output === 'text') return (names ?? TEXT_FIELDS).map((name) => plain(fieldOf(capture, name))).join(' ');
  const { urlkey: _key, timestamp: _time, ...fields } = shown(capture, names);
  return `${capture.key} ${capture.ts} ${JSON.stringify(names ? fields : capture.fields)}`;
}

const plain = (value: string | null): string => (value ? value.replace(/\s/g, '%20') : '-');

/** Milliseconds of a time as `YYYYMMDDhhmmss…`; what is missing is the first month, day, hour and so on. */
export function timeOf(ts: string): number {
  const [year, month, day, hour, minute, second, ms] = [
    [0, 4, '1970'],
    [4, 6, '01'],
    [6, 8, '01'],
    [8, 10, '00'],
    [10, 12, '00'],
    [12, 14, '00'],
    [14, 17, '0'],
  ].map(([from, to, none]) => Number(ts.slice(from as number, to as number) || none)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}
