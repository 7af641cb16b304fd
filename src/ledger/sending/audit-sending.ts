import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/clock/clock.js';
import { isDatabaseAway } from '../../common/errors/database-away.js';
import { minutes, seconds } from '../../common/units/durations.js';
import { LeasedWorker, type ClaimedWork } from '../../database/leased-worker.js';
import type { Held } from '../../database/leases.js';
import { AuditOutboxRepository } from '../data/audit-outbox.repository.js';
import type { AuditReceiver } from '../data/audit-receiver.schema.js';
import { lineOf } from '../rules/audit-line.js';
import { LineSenders } from './line-senders.js';

const BATCH = 200;
/** Most batches of one claim, so that a stop does not wait for a long backlog. */
const MOST_BATCHES = 50;
const PAUSE_MS = seconds(5);
const FIRST_WAIT_MS = seconds(2);
const LONGEST_WAIT_MS = minutes(5);

/**
 * Sends settled entries to the receivers that settings name, each at least once. A receiver that is away is tried again
 * without end, later after every failure, and holds up neither the others nor whoever writes entries.
 */
@Injectable()
export class AuditSending extends LeasedWorker<Held<AuditReceiver>> {
  constructor(
    private readonly outbox: AuditOutboxRepository,
    private readonly senders: LineSenders,
    private readonly clock: Clock,
  ) {
    super(outbox.leases, new Logger('ledger'));
  }

  @Interval(seconds(5))
  override look(): Promise<number> {
    return this.senders.all.length === 0 ? Promise.resolve(0) : super.look();
  }

  protected override wantsMore(): boolean {
    return false;
  }

  protected async claim(): Promise<ClaimedWork<Held<AuditReceiver>>> {
    await this.outbox.begin(this.senders.names);
    const held = await this.outbox.claimNext(this.senders.names);
    return { held: held ? [held] : [], more: held !== null };
  }

  protected async work({ record, lease }: Held<AuditReceiver>): Promise<void> {
    const { names } = this.senders;
    const sender = this.senders.all.find(({ name }) => name === record._id);
    let { sentUpTo } = record;
    try {
      for (let batches = 0; sender && batches < MOST_BATCHES; batches++) {
        const events = await this.outbox.next({ ...record, sentUpTo }, BATCH);
        if (events.length === 0) break;
        await sender.send(events.map(lineOf), AbortSignal.any([lease.lost, this.stopping]));
        await this.outbox.sent(lease, events, names);
        sentUpTo = events.at(-1)?.sendAt ?? sentUpTo;
      }
      await this.outbox.giveBack(lease, this.in(PAUSE_MS), { sentUpTo, failures: 0 });
    } catch (error) {
      if (isDatabaseAway(error) || this.stopping.aborted) throw error;
      const failures = record.failures + 1;
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.warn({ event: 'audit_lines_not_sent', to: record._id, failures, reason });
      const wait = Math.min(FIRST_WAIT_MS * 2 ** Math.min(failures, 20), LONGEST_WAIT_MS);
      await this.outbox.giveBack(lease, this.in(wait), { sentUpTo, failures });
    }
  }

  private in(ms: number): Date {
    return new Date(this.clock.nowMs() + ms);
  }
}
