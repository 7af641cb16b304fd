import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { minutes, seconds } from '../common/units/durations.js';
import type { Tx } from '../database/unit-of-work.js';
import { ImportMarksRepository } from './data/import-marks.repository.js';

/** A process that dies holds its imports this long. */
const LEASE_MS = minutes(1);
/** Several beats fit into a lease: one that is late does no harm. */
const BEAT_MS = seconds(15);

/** The right to import an org, kept up while the process lives, however slowly the export arrives. */
export class ImportLease {
  private readonly owner = newId();
  private readonly logger = new Logger('orgs');
  private beat: NodeJS.Timeout | undefined;

  constructor(
    readonly oid: string,
    private readonly marks: ImportMarksRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns false while another import holds the org */
  async take(): Promise<boolean> {
    const [now, leaseUntil] = [this.clock.now(), this.end()];
    if (!(await this.marks.claim(this.oid, this.owner, { now, leaseUntil }))) return false;
    const renew = (): void => {
      this.renew().catch((error: unknown) => this.logger.warn({ event: 'import_lease', oid: this.oid, err: error }));
    };
    this.beat = setInterval(renew, BEAT_MS).unref();
    return true;
  }

  /** @returns false when another import took the org over: this one must not write any more */
  renew(tx?: Tx): Promise<boolean> {
    return this.marks.renew(this.oid, this.owner, this.end(), tx);
  }

  /** Leaves the org to whoever took it over. */
  abandon(): void {
    clearInterval(this.beat);
  }

  async release(): Promise<void> {
    this.abandon();
    await this.marks.release(this.oid, this.owner);
  }

  private end(): Date {
    return new Date(this.clock.nowMs() + LEASE_MS);
  }
}

@Injectable()
export class ImportLeases {
  constructor(
    private readonly marks: ImportMarksRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns null while another import holds the org */
  async take(oid: string): Promise<ImportLease | null> {
    const lease = new ImportLease(oid, this.marks, this.clock);
    return (await lease.take()) ? lease : null;
  }

  /** Takes over the orgs of imports that died. */
  async *takeDead(): AsyncGenerator<ImportLease> {
    for (const oid of await this.marks.dead(this.clock.now())) {
      const lease = await this.take(oid);
      if (lease) yield lease;
    }
  }
}
