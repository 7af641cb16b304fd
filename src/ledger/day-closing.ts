import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { isDatabaseAway } from '../common/errors/database-away.js';
import { newId } from '../common/ids/uuid.js';
import { days, hours, minutes } from '../common/units/durations.js';
import { LeasedWorker, type ClaimedWork } from '../database/leased-worker.js';
import type { Held } from '../database/leases.js';
import { unseenFile } from '../objects/object-name.js';
import { Storages } from '../storage/storages.js';
import { AuditRetention } from './audit-retention.js';
import type { AuditChain } from './data/audit-chain.schema.js';
import { AuditChainsRepository } from './data/audit-chains.repository.js';
import { AuditLinesRepository } from './data/audit-lines.repository.js';
import { dayFileOf, dayOf, digestOf, endOf, startOf } from './rules/audit-day.js';
import { lineTextOf } from './rules/audit-line.js';

/** Time after a day's end until it is closed. Transactions last a minute, and what a dead process begun is settled. */
const GRACE_MS = hours(1);
/** How soon a day is looked at again that could not be closed. */
const AGAIN_MS = minutes(10);
/** Most of the time is spent waiting for database and store. */
const MAX_AT_ONCE = 2;
const BEGUN_AT_ONCE = 500;

/**
 * Closes days of the audit log once they are over: all lines of a day go into a file, whose digest is chained to the day
 * before. The name of the file is intended first and recorded last, and its bytes are the same whoever writes it, so a
 * process that dies in between leaves nothing that the next one does not write over. ADR 0054.
 */
@Injectable()
export class DayClosing extends LeasedWorker<Held<AuditChain>> {
  constructor(
    private readonly chains: AuditChainsRepository,
    private readonly lines: AuditLinesRepository,
    private readonly retention: AuditRetention,
    private readonly storages: Storages,
    private readonly clock: Clock,
  ) {
    super(chains.leases, new Logger('ledger'));
  }

  /** Begins the chains of orgs that have entries for the first time. */
  @Interval(minutes(10))
  async findChains(): Promise<void> {
    let found: (string | null)[] = [];
    for await (const oid of this.lines.oids()) {
      found.push(oid);
      if (found.length < BEGUN_AT_ONCE) continue;
      await this.chains.begin(found);
      found = [];
    }
    await this.chains.begin(found);
  }

  @Interval(minutes(1))
  override look(): Promise<number> {
    return super.look();
  }

  protected async claim(): Promise<ClaimedWork<Held<AuditChain>>> {
    const held = this.underWay.length < MAX_AT_ONCE ? await this.chains.claimNext() : null;
    return { held: held ? [held] : [], more: held !== null };
  }

  protected async work({ record, lease }: Held<AuditChain>): Promise<void> {
    const { oid } = record;
    try {
      const areClosed = await this.closeAll({ record, lease });
      await this.retention.cut({ record, lease }, this.stopping);
      const again = areClosed ? this.nextClosing() : new Date(this.clock.nowMs() + AGAIN_MS);
      await this.chains.leases.giveBack([lease], again);
    } catch (error) {
      if (isDatabaseAway(error) || this.stopping.aborted) throw error;
      this.logger.warn({ event: 'audit_day_not_closed', oid, err: error });
      await this.chains.leases.giveBack([lease], new Date(this.clock.nowMs() + AGAIN_MS));
    }
  }

  /** When the present day may be closed. */
  private nextClosing(): Date {
    return new Date(endOf(dayOf(new Date(this.clock.nowMs() - GRACE_MS))).getTime() + GRACE_MS);
  }

  /** @returns false when a day has to wait */
  private async closeAll({ record, lease }: Held<AuditChain>): Promise<boolean> {
    const { oid } = record;
    for (let end: Pick<AuditChain, 'day' | 'digest'> = record; ;) {
      const first = await this.lines.firstFrom(oid, end.day === null ? new Date(0) : endOf(end.day));
      if (!first) return true;
      const day = dayOf(first);
      if (endOf(day).getTime() + GRACE_MS > this.clock.nowMs()) return true;
      if (await this.lines.isUnsettled(oid, { from: startOf(day), to: endOf(day) })) {
        const isLate = endOf(day).getTime() + days(1) < this.clock.nowMs();
        if (isLate) this.logger.warn({ event: 'audit_day_unsettled', oid, day });
        return false;
      }
      const closed = await this.close({ record, lease }, day, end.digest);
      if (closed === null) throw new Error('another process has taken the chain over');
      end = { day, digest: closed };
    }
  }

  /** @returns the day's digest; null when another process has the chain */
  private async close({ record, lease }: Held<AuditChain>, day: string, previous: string): Promise<string | null> {
    const { oid } = record;
    const storage = this.storages.defaultPrimary;
    const planned = unseenFile({ filename: dayFileOf(oid, day), storage });
    if (!(await this.chains.plan(lease, planned))) return null;
    const counted = { lines: 0 };
    const zipped = createGzip();
    // A failure of the reading is that of the file, which the store reads.
    pipeline(Readable.from(this.textsOf(oid, day, counted)), zipped, () => undefined);
    const signal = AbortSignal.any([lease.lost, this.stopping]);
    const put = this.storages.resolveDefault(storage).put(planned.filename, zipped, {
      ...{ contentType: 'application/gzip', signal },
    });
    const { size, sha256, crc32 } = await put.finally(() => zipped.destroy());
    const count = counted.lines;
    const digest = digestOf({ previous, day, count, sha256 });
    const file = { ...planned, size, hash: sha256, crc32 };
    const closed = { _id: newId(), oid, day, count, previous, digest, file, closed: this.clock.now() };
    if (!(await this.chains.close(lease, closed))) return null;
    this.logger.log({ event: 'audit_day_closed', oid, day, count, digest });
    return digest;
  }

  private async *textsOf(oid: string | null, day: string, counted: { lines: number }): AsyncGenerator<string> {
    for await (const line of this.lines.of(oid, { from: startOf(day), to: endOf(day) })) {
      counted.lines += 1;
      yield lineTextOf(line);
    }
  }
}
