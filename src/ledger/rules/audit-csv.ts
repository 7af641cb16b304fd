import type { AuditLine } from './audit-line.js';

/** A cell that programs read as a formula begins with one of these. Targets and names are anybody's words. */
const FORMULA = /^[=+\-@\t\r]/;

export const CSV_COLUMNS = [
  ...['at', 'id', 'oid', 'actorKind', 'actor', 'actorName', 'key', 'action', 'targetKind', 'target'],
  ...['outcome', 'status', 'address', 'requestId', 'fields', 'changed'],
] as const;

function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}

const row = (values: readonly (string | number | null)[]): string => `${values.map(cell).join(',')}\r\n`;

/** The first line of the table. */
export const csvHead = (): string => row(CSV_COLUMNS);

/** An entry as a line of a table for spreadsheets. */
export const csvRowOf = (line: AuditLine, actorName: string | null): string =>
  row([
    ...[line.at, line.id, line.oid, line.actorKind, line.actor, actorName, line.key, line.action, line.targetKind],
    ...[line.target, line.outcome, line.status, line.address, line.requestId, line.fields.join(' ')],
    line.changed.map(({ field, before, after }) => `${field}: ${String(before)} → ${String(after)}`).join('; '),
  ]);
