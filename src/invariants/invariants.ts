import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { minutes } from '../common/units/durations.js';
import { SetAsideQueries } from './data/set-aside.queries.js';
import { ArchiveChecks, type ArchiveCheckOptions } from './archive-checks.js';
import type { ArchivesRead } from './archive-look.js';
import { CounterChecks, type ReportViolation } from './counter-checks.js';
import { DependencyChecks } from './dependency-checks.js';
import { FileChecks } from './file-checks.js';
import { LedgerChecks } from './ledger-checks.js';

/** How much was checked. */
export interface Checked {
  readonly orgs: number;
  readonly workflows: number;
  readonly collections: number;
  readonly items: number;
  /** Number of places in file records, copies too. */
  readonly files: number;
  readonly objects: number;
  /** Closed days of the audit log. */
  readonly auditDays: number;
  /** Null where archives were not to be read. */
  readonly archives: ArchivesRead | null;
}

/** How long an object may wait for its record. */
const GRACE_MS = minutes(10);

/**
 * Checks what must always be true of an archive. Counters equal a recount, records have their objects and objects their
 * records, what items refer to can be reached, the audit log is as it was written, and no worker has given up on anything.
 * It only reads, in bounded memory, and may run beside the service.
 */
@Injectable()
export class Invariants {
  constructor(
    private readonly counters: CounterChecks,
    private readonly dependencies: DependencyChecks,
    private readonly archives: ArchiveChecks,
    private readonly files: FileChecks,
    private readonly ledger: LedgerChecks,
    private readonly setAside: SetAsideQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * @param found called with each violation
   * @param options `youngest`: newer objects may still be waiting for their record; ten minutes ago by default.
   * `archives`: what items refer to is also read from their archives
   * @throws StorageError when a storage does not answer
   */
  async check(
    found: ReportViolation,
    { youngest = this.ripeSince(), archives }: { youngest?: Date; archives?: ArchiveCheckOptions | undefined } = {},
  ): Promise<Checked> {
    const orgs = await this.counters.checkOrgs(found);
    const items = await this.counters.checkItems(found);
    await this.dependencies.check(found);
    const workflows = await this.counters.checkWorkflows(found);
    const collections = await this.counters.checkCollections(found);
    for await (const { reason, ...of } of this.setAside.all())
      found({ ...of, field: 'set aside', stored: reason, expected: null });
    const auditDays = await this.ledger.check(found);
    const files = await this.files.check(found, youngest);
    const read = archives ? await this.archives.check(found, archives) : null;
    return { orgs, items, workflows, collections, auditDays, archives: read, ...files };
  }

  private ripeSince(): Date {
    return new Date(this.clock.nowMs() - GRACE_MS);
  }
}
