import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { seconds } from '../common/units/durations.js';
import { LeasedWorker, type ClaimedWork } from '../database/leased-worker.js';
import { NotificationsRepository, type ClaimedNotification } from './data/notifications.repository.js';
import { Delivery } from './delivery.js';
import { Lanes } from './lanes.js';
import { Receivers, type ReceiverLookup } from './receivers.js';

/** Concurrent sockets to one host. */
const MAX_RUNNING_PER_HOST = 16;
/**
 * Claimed notifications in memory. They are claimed ahead so that a fast receiver never waits for the database. With 64
 * of a host, 32 hosts that hang fill one process, and one org can fill an eighth of it.
 */
const LIMITS = { total: 2048, perHost: 64, perOrg: 256 };
/** Notifications claimed per look. */
const CLAIM_BATCH = 64;
/** How long running tries may go on when the process is told to stop. Afterwards they are left to be sent again. */
const GRACE_MS = seconds(3);

/** A claimed notification and the configuration read for all that were claimed with it. */
interface Due extends ClaimedNotification {
  readonly receivers: Promise<ReceiverLookup>;
}

/** Sends due notifications, including those another process left. Those of one item are sent one by one. */
@Injectable()
export class DeliveryWorker extends LeasedWorker<Due> {
  private readonly items = new Lanes(1);
  private readonly hosts = new Lanes(MAX_RUNNING_PER_HOST);

  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly delivery: Delivery,
    private readonly receivers: Receivers,
  ) {
    super(notifications.leases, new Logger('webhooks'), GRACE_MS);
  }

  @Interval(seconds(0.5))
  override look(): Promise<number> {
    return super.look();
  }

  protected async claim(): Promise<ClaimedWork<Due>> {
    const mine = this.underWay;
    const limit = Math.min(CLAIM_BATCH, LIMITS.total - mine.length);
    if (limit <= 0) return { held: [], more: false };
    const hosts = fullOf(mine, LIMITS.perHost, ({ plan }) => plan.host);
    const oids = fullOf(mine, LIMITS.perOrg, ({ record }) => record.oid);
    const claimed = await this.notifications.claimDue(limit, { hosts, oids });
    if (claimed.length === 0) return { held: [], more: false };
    const held = await this.inTurn(claimed);
    const receivers = this.receivers.lookUp(held.map(({ record }) => record));
    // The callers that await this promise handle its failure, perhaps later.
    receivers.catch(() => undefined);
    return { held: held.map((one) => ({ ...one, receivers })), more: true };
  }

  protected override wantsMore({ plan: { host } }: Due): boolean {
    return this.underWay.filter(({ plan }) => plan.host === host).length <= LIMITS.perHost / 2;
  }

  protected work(due: Due): Promise<void> {
    const { host, orderKey } = due.plan;
    return this.items.run(orderKey, (hasWaited) => this.hosts.run(host, () => this.deliver(due, hasWaited)));
  }

  /**
   * Gives back notifications when another process holds, or died with, an earlier one of the same item. This is asked
   * after the claim: if two processes claim one each, the process with the later one sees the claim of the other.
   */
  private async inTurn(claimed: readonly ClaimedNotification[]): Promise<ClaimedNotification[]> {
    const ours = [...this.underWay, ...claimed].map(({ record }) => record._id);
    const keys = new Set(claimed.map(({ plan }) => plan.orderKey));
    const others = await this.notifications.firstOfOthers([...keys], ours);
    const isInTurn = ({ plan }: ClaimedNotification) => plan.seq <= (others.get(plan.orderKey) ?? Infinity);
    const early = claimed.filter((one) => !isInTurn(one));
    if (early.length > 0) await this.notifications.putBack(early, others);
    return claimed.filter(isInTurn);
  }

  /** @param hasWaited another one of the item was sent since the claim; the configuration may have changed */
  private async deliver(due: Due, hasWaited: boolean): Promise<void> {
    const { record, lease } = due;
    if (this.isClosed) throw new Error('nothing more is sent by a process that stops');
    // Another process sends it.
    if (lease.isLost) return;
    const receivers = await (hasWaited ? this.receivers.lookUp([record]) : due.receivers);
    await this.delivery.tryOnce(due, receivers.of(record), this.stopping);
  }
}

/** The keys that have reached the limit. */
function fullOf<T>(all: readonly T[], limit: number, keyOf: (one: T) => string): string[] {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= limit).map(([key]) => key);
}
