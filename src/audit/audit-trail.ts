import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { currentRequest, type RequestScope } from '../common/http/request-scope.js';
import { minutes } from '../common/units/durations.js';
import { UnitOfWork, type Tx, type Witness } from '../database/unit-of-work.js';
import { AuditEventsRepository, type Ending, type NewAuditEntry } from './data/audit-events.repository.js';
import type { ChangedSetting } from './data/audit-event.schema.js';
import { actorOf, COMMAND_LINE, SYSTEM, type Actor } from './rules/actors.js';
import { NO_TARGET, type AuditTarget } from './rules/targets.js';
import { Settling } from './settling.js';

/** An entry that was begun this long ago is held on to: its request is an upload, or slow. */
const SLOW_MS = minutes(2);
/** The status of a settled entry is corrected for so long; days are closed an hour after their end. */
const CHANGEABLE_MS = minutes(50);
/** Most entries that one look gives up. */
const MOST_GIVEN_UP = 500;

type Plain = ChangedSetting['after'];

/** The entry of a request under way. */
interface Draft {
  readonly id: string;
  readonly at: Date;
  /** What success is answered with. */
  readonly status: number;
  isSettled: boolean;
  changed: ChangedSetting[];
  about: AuditTarget | null;
  oid: string | null;
}

/** Something that happened, in the words of the audit log. */
export interface Happening {
  /** `account.<what>`, `system.<what>` or `cli.<what>`. */
  readonly action: string;
  readonly by?: Actor;
  readonly oid?: string | null;
  readonly about?: readonly [kind: string, id: string];
  readonly fields?: readonly string[];
  readonly changed?: readonly ChangedSetting[];
  readonly outcome?: 'done' | 'refused';
}

const settingOf = (value: unknown): Plain =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;

/**
 * What the audit log is told. Of a request with a known caller there is an entry before its handler runs, so that
 * nothing changes without one; it is settled within the first transaction that changes something, else by what is
 * answered. ADR 53.
 */
@Injectable()
export class AuditTrail implements OnModuleInit {
  private readonly logger = new Logger('audit');
  private readonly drafts = new WeakMap<RequestScope, Draft>();
  private readonly open = new Map<string, Draft>();
  private isCommandLine = false;

  constructor(
    private readonly events: AuditEventsRepository,
    private readonly settling: Settling,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.unitOfWork.witnessedBy(() => this.witness());
  }

  /** Says that nobody but the command line acts in this process. */
  actAsCommandLine(): void {
    this.isCommandLine = true;
  }

  /** Stores the entry of a request before its handler runs. @param status what success is answered with */
  async begin(scope: RequestScope, entry: Omit<NewAuditEntry, 'at'>, status: number): Promise<void> {
    const at = this.clock.now();
    const id = await this.events.begin({ ...entry, at });
    const draft: Draft = { id, at, status, isSettled: false, changed: [], about: null, oid: null };
    this.drafts.set(scope, draft);
    this.open.set(id, draft);
  }

  /** Settles the entry of a request by what it is answered. What a transaction has settled stays `done`. */
  async end(scope: RequestScope, ending: Pick<Ending, 'outcome' | 'status'>, made: string | null): Promise<void> {
    const draft = this.drafts.get(scope);
    if (!draft) return;
    this.open.delete(draft.id);
    this.drafts.delete(scope);
    if (draft.isSettled) return this.answered(draft, ending.status);
    const told = ending.outcome === 'done' ? draft : { ...draft, changed: [], oid: null };
    const about = told.about ?? (made === null ? null : { targetKind: null, target: made });
    await this.settling.soon({ id: draft.id, ending: { ...endingOf(told), ...ending, about }, at: this.clock.now() });
  }

  /**
   * Says that a setting changes, within the transaction that changes it. Values are of settings alone: no secrets, no
   * addresses, nothing that people wrote; what is neither text, number nor switch is told as null.
   */
  changed(field: string, before: unknown, after: unknown): void {
    const draft = this.draft();
    if (!draft || draft.isSettled || settingOf(before) === settingOf(after)) return;
    draft.changed.push({ field, before: settingOf(before), after: settingOf(after) });
  }

  /** Says what a request is about, where its path does not. */
  about(targetKind: string, target: string): void {
    const draft = this.draft();
    if (draft) draft.about = { targetKind, target };
  }

  /** Says which org a request is about, where its path does not. */
  ofOrg(oid: string): void {
    const draft = this.draft();
    if (draft) draft.oid = oid;
  }

  /** Of a request that has an entry, says what it made; else stores an entry of that. */
  async made(happening: Happening & { readonly about: readonly [string, string] }, tx?: Tx): Promise<void> {
    if (this.draft()) this.about(happening.about[0], happening.about[1]);
    else await this.record(happening, tx);
  }

  /** Stores an entry of something that happened, or happens in this transaction. */
  async record(happening: Happening, tx?: Tx): Promise<void> {
    const { action, oid = null, about, fields = [], changed, outcome = 'done' } = happening;
    const scope = currentRequest();
    const isByItself = action.startsWith('system.');
    const entry: NewAuditEntry = {
      at: this.clock.now(),
      ...(happening.by ?? (isByItself ? SYSTEM : this.actorNow(scope))),
      oid,
      action,
      ...(about ? { targetKind: about[0], target: about[1] } : NO_TARGET),
      fields: [...fields],
      address: isByItself ? null : (scope?.address ?? null),
      requestId: scope?.requestId ?? null,
    };
    await this.events.record(entry, { outcome, status: null, changed }, tx);
  }

  /** Holds on to what takes long, so that no process takes it for left. */
  @Interval(minutes(3))
  async hold(): Promise<void> {
    const now = this.clock.now();
    const slow = [...this.open.values()].filter(
      ({ at, isSettled }) => !isSettled && now.getTime() - at.getTime() > SLOW_MS,
    );
    if (slow.length > 0)
      await this.events.hold(
        slow.map(({ id }) => id),
        now,
      );
  }

  /** Gives up entries whose process has died or lost them. Any number of processes may. */
  @Interval(minutes(1))
  async giveUpLeft(): Promise<void> {
    const count = await this.events.giveUp(this.clock.now(), MOST_GIVEN_UP);
    if (count > 0) this.logger.warn({ event: 'audit_entries_unknown', count });
  }

  /** What a transaction has settled was foreseen to be answered by success. */
  private async answered({ id, at, status: foreseen }: Draft, status: number | null): Promise<void> {
    // Later, the day may be closed into its file, whose lines no longer change. ADR 54.
    const mayChange = this.clock.nowMs() - at.getTime() < CHANGEABLE_MS;
    if (status === foreseen || !mayChange) return;
    try {
      await this.events.answeredOtherwise(id, foreseen, status);
    } catch (error) {
      this.logger.error({ event: 'audit_entry_not_corrected', entryId: id, err: error });
    }
  }

  private actorNow(scope: RequestScope | undefined): Actor {
    if (scope) return actorOf(scope.request.principal);
    return this.isCommandLine ? COMMAND_LINE : SYSTEM;
  }

  private draft(): Draft | undefined {
    const scope = currentRequest();
    return scope && this.drafts.get(scope);
  }

  /** The transaction that begins now settles the entry of its request, if it is the first. */
  private witness(): Witness | null {
    const draft = this.draft();
    if (!draft || draft.isSettled) return null;
    const told = draft.changed.length;
    return {
      begin: () => void draft.changed.splice(told),
      within: async (tx) => {
        await this.events.settle({ id: draft.id, ending: endingOf(draft), at: this.clock.now() }, tx);
      },
      committed: () => void (draft.isSettled = true),
    };
  }
}

const endingOf = ({ status, changed, about, oid }: Draft): Ending => ({ outcome: 'done', status, changed, about, oid });
