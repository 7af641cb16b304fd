import { UnreadableWacz } from '../unreadable-wacz.js';

/** The header block of a WARC record (ISO 28500, 5). */
export interface RecordHead {
  /** The block as it is in the file, with its blank line. */
  readonly raw: Buffer;
  readonly type: string;
  /** The target URI without the angle brackets that some writers put around it; empty when the record has none. */
  readonly url: string;
  /** ISO 8601, empty when the record has none. */
  readonly date: string;
  readonly contentType: string;
  readonly contentLength: number;
  readonly payloadDigest: string;
}

const VERSION = /^WARC\/\d+\.\d+\s*$/;

/** @throws UnreadableWacz when this is no WARC header */
export function parseRecordHead(raw: Buffer): RecordHead {
  const [version = '', ...lines] = raw.toString('utf8').split(/\r?\n/);
  if (!VERSION.test(version)) throw new UnreadableWacz('corrupt', 'a record does not begin as a WARC record does');
  const fields = headerFields(lines);
  const length = fields.get('content-length') ?? '';
  if (!/^\d{1,15}$/.test(length)) throw new UnreadableWacz('corrupt', 'a record has no valid length');
  return {
    raw,
    type: (fields.get('warc-type') ?? '').toLowerCase(),
    url: (fields.get('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1'),
    date: fields.get('warc-date') ?? '',
    contentType: fields.get('content-type') ?? '',
    contentLength: Number(length),
    payloadDigest: fields.get('warc-payload-digest') ?? '',
  };
}

/** Header fields by lower-case name. A repeated field keeps its first value; continued lines are joined. */
export function headerFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  let last: string | null = null;
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (last !== null) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    last = fields.has(name) ? null : name;
    if (last !== null) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}
