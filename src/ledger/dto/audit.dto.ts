import { ACTOR_KINDS, OUTCOMES, type AuditEvent } from '../../audit/data/audit-event.schema.js';
import {
  AnyOf,
  DateTime,
  Enum,
  Int,
  ListOf,
  Nested,
  Of,
  OneOf,
  Str,
  TimeText,
  Uuid,
} from '../../common/validation/fields.js';
import { bool, int, num, str } from '../../common/validation/scalars.js';

const MOST_A_PAGE = 1000;
const LONGEST_WORD = 500;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export class AuditOrgPath {
  @Uuid() oid!: string;
}

export class AuditDayOfAllPath {
  /** `2026-11-25`, in UTC. */
  @Str({ pattern: DAY }) day!: string;
}

export class AuditDayPath extends AuditDayOfAllPath {
  @Uuid() oid!: string;
}

/** Which entries: all that fit every parameter. */
export class AuditQuery {
  /** Id of the person or service account who acted. */
  @Uuid({ nullable: true, optional: true }) user?: string | null;
  /** Id of the API key that opened the request. */
  @Uuid({ nullable: true, optional: true }) key?: string | null;
  /** The operation's id in this document. */
  @Str({ nullable: true, optional: true, max: LONGEST_WORD }) action?: string | null;
  /** Id of what was acted on. */
  @Str({ nullable: true, optional: true, max: LONGEST_WORD }) target?: string | null;
  /** How it went. */
  @OneOf(OUTCOMES, { nullable: true, optional: true }) outcome?: AuditEvent['outcome'] | null;
  /** The first moment. */
  @DateTime({ nullable: true, optional: true }) from?: Date | null;
  /** The first moment that does not belong to it any more. */
  @DateTime({ nullable: true, optional: true }) to?: Date | null;
  /** `next` of the page before. */
  @Str({ nullable: true, optional: true, max: LONGEST_WORD }) cursor?: string | null;
  /** Most entries of a page. */
  @Of(int({ min: 1, max: MOST_A_PAGE })) pageSize: number = 100;
  /**
   * `csv` and `jsonl` send all entries at once, as a file; without it the header `Accept` decides. `cursor` and
   * `pageSize` don't count for them.
   */
  @OneOf(['json', 'csv', 'jsonl'], { nullable: true, optional: true }) format?: 'json' | 'csv' | 'jsonl' | null;
}

/** A setting as it was and as it is. */
export class AuditChange {
  /** Name of the setting. */
  @Str() field!: string;
  /** Null also where the value is a text of people, a list or a secret. */
  @AnyOf([bool(), num(), str()], { nullable: true }) before!: string | number | boolean | null;
  /** As `before`. */
  @AnyOf([bool(), num(), str()], { nullable: true }) after!: string | number | boolean | null;
}

/** Who did what, on what, from where, when and how it went. */
export class AuditEventOut {
  @Str() id!: string;
  /** The org concerned; null for accounts and the whole installation. */
  @Uuid({ nullable: true }) oid!: string | null;
  /** When it was begun. */
  @TimeText() at!: string;
  /** A person, a service account, the automation client by its secret, the command line, the service, or nobody known. */
  @Enum('AuditActorKind', ACTOR_KINDS) actorKind!: AuditEvent['actorKind'];
  /** Id of the person or service account; null for the others. */
  @Uuid({ nullable: true }) actor!: string | null;
  /** Their present name; null when there is no such account any more. */
  @Str({ nullable: true }) actorName!: string | null;
  /** Id of the API key that opened the request. */
  @Uuid({ nullable: true }) key!: string | null;
  /** The operation's id in this document, or `system.` and what the service did. */
  @Str() action!: string;
  /** What kind of thing was acted on, such as `crawl`. */
  @Str({ nullable: true }) targetKind!: string | null;
  /** Its id; null where the request is about the org itself, or about nothing that is stored. */
  @Str({ nullable: true }) target!: string | null;
  /** Names of the fields that the request had, or of the settings that changed. */
  @ListOf(str()) fields!: string[];
  /** Settings that changed. */
  @ListOf(() => AuditChange) changed!: AuditChange[];
  /** The client's address. */
  @Str({ nullable: true }) address!: string | null;
  /** `X-Request-Id` of the answer. */
  @Str({ nullable: true }) requestId!: string | null;
  /** `begun`: under way; `unknown`: the process ended before it knew. */
  @Enum('AuditOutcome', OUTCOMES) outcome!: AuditEvent['outcome'];
  /** HTTP status of the answer. */
  @Int({ nullable: true }) status!: number | null;
}

/** A page of the audit log, the newest entry first. */
export class AuditEventsOut {
  @ListOf(() => AuditEventOut) items!: AuditEventOut[];
  /**
   * `cursor` of the next page; null: there is none. A page may have fewer entries than asked for, or none, and the next
   * one more.
   */
  @Str({ nullable: true }) next!: string | null;
}

export class AuditDaysQuery {
  /** `next` of the page before. */
  @Str({ nullable: true, optional: true, pattern: DAY }) before?: string | null;
  /** Most days of a page. */
  @Of(int({ min: 1, max: MOST_A_PAGE })) pageSize: number = 100;
}

/** A closed day: its lines are in a file, which is chained to the day before. */
export class AuditDayOut {
  /** In UTC. */
  @Str() day!: string;
  /** Number of lines. */
  @Int() count!: number;
  /** Bytes of the file. */
  @Int() size!: number;
  /** SHA-256 of the file, in hex. */
  @Str() sha256!: string;
  /** Digest of the closed day before; 64 zeros for the first. */
  @Str() previous!: string;
  /** SHA-256 of `previous`, `day`, `count` and `sha256`, each with a line end; in hex. */
  @Str() digest!: string;
  /** When the file was written. */
  @TimeText() closed!: string;
  /** Where the file is, for whoever may see this list. */
  @Str() url!: string;
}

/** The signed end of what retention has cut. */
export class AuditCheckpointOut {
  /** The last day that was cut. */
  @Str() day!: string;
  /** Its digest. */
  @Str() digest!: string;
  /** When it was signed. */
  @TimeText() cutAt!: string;
  /** Id of the key, as `/.well-known/muniment-keys.json` has it. */
  @Str() keyId!: string;
  /** The text that is signed. */
  @Str() text!: string;
  /** ECDSA P-384 with SHA-256, base64 of the two numbers one after the other. */
  @Str() signature!: string;
}

/** Closed days, the newest first. */
export class AuditDaysOut {
  @ListOf(() => AuditDayOut) items!: AuditDayOut[];
  /** `before` of the next page; null: there is none. */
  @Str({ nullable: true }) next!: string | null;
  /** Null: nothing has been cut. */
  @Nested(() => AuditCheckpointOut, { nullable: true }) checkpoint!: AuditCheckpointOut | null;
}
