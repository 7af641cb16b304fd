import type { AuditLine } from './audit-line.js';

/** RFC 5424 §6.2.1: log audit. */
const FACILITY = 13;
const SEVERITIES = { informational: 6, warning: 4, error: 3 } as const;
/** RFC 5612: the number for what has none of its own. */
const ELEMENT = 'muniment@32473';
const APP = 'muniment';
const LONGEST = { host: 255, message: 32 } as const;

function severityOf({ outcome }: AuditLine): number {
  if (outcome === 'refused') return SEVERITIES.warning;
  return outcome === 'failed' || outcome === 'unknown' ? SEVERITIES.error : SEVERITIES.informational;
}

/** A header field: printable ASCII without spaces, or nil. */
const word = (text: string, longest: number): string => text.replace(/[^\x21-\x7e]/g, '').slice(0, longest) || '-';

/** RFC 5424 §6.3.3. */
const param = ([name, value]: readonly [string, string | null]): string =>
  value === null ? '' : ` ${name}="${value.replace(/["\\\]]/g, '\\$&')}"`;

/** An entry as a message of RFC 5424, whose text is the line of the day's file. */
export function syslogMessage(line: AuditLine, host: string): string {
  const { id, oid, actor, outcome, action } = line;
  const params = [
    ['id', id],
    ['oid', oid],
    ['actor', actor],
    ['outcome', outcome],
  ] as const;
  const data = `[${ELEMENT}${params.map(param).join('')}]`;
  const head = `<${String(FACILITY * 8 + severityOf(line))}>1 ${line.at} ${word(host, LONGEST.host)} ${APP} -`;
  return `${head} ${word(action, LONGEST.message)} ${data} ${JSON.stringify(line)}`;
}

/** A message as streams have it: its length in bytes, a space, and itself. RFC 6587 §3.4.1. */
export const octetCounted = (message: string): Buffer => {
  const bytes = Buffer.from(message);
  return Buffer.concat([Buffer.from(`${String(bytes.length)} `), bytes]);
};
