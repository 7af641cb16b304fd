import { wireTime } from '../../common/validation/date-time.js';
import type { AuditEvent } from '../../audit/data/audit-event.schema.js';

/** An entry as lists, exports and files have it. */
export interface AuditLine {
  readonly action: string;
  readonly actor: string | null;
  readonly actorKind: AuditEvent['actorKind'];
  readonly address: string | null;
  readonly at: string;
  readonly changed: {
    readonly after: string | number | boolean | null;
    readonly before: string | number | boolean | null;
    readonly field: string;
  }[];
  readonly fields: string[];
  readonly id: string;
  readonly key: string | null;
  readonly oid: string | null;
  readonly outcome: AuditEvent['outcome'];
  readonly requestId: string | null;
  readonly status: number | null;
  readonly target: string | null;
  readonly targetKind: string | null;
}

/** An entry with its fields in the order of the alphabet, so that its JSON is always the same. */
export const lineOf = (event: AuditEvent): AuditLine => ({
  action: event.action,
  actor: event.actor,
  actorKind: event.actorKind,
  address: event.address,
  at: wireTime(event.at),
  changed: (event.changed ?? []).map(({ after, before, field }) => ({ after, before, field })),
  fields: event.fields,
  id: String(event._id),
  key: event.key,
  oid: event.oid,
  outcome: event.outcome,
  requestId: event.requestId,
  status: event.status,
  target: event.target,
  targetKind: event.targetKind,
});

/** The line of an entry in a file or an export, with its end. */
export const lineTextOf = (event: AuditEvent): string => `${JSON.stringify(lineOf(event))}\n`;
