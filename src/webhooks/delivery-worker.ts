import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { Coalesced } from '../common/concurrency/coalesced.js';
import { seconds } from '../common/units/durations.js';
import { ClaimCounts } from './claim-counts.js';
import { ClaimedLine } from './claimed-line.js';
import { Delivery, type Claimed } from './delivery.js';
import { HostLanes } from './host-lanes.js';
import { Receivers, type Receiver } from './receivers.js';

/** Sockets to one host. */
const MAX_RUNNING_PER_HOST = 16;
/**
 * What is claimed and not yet sent waits here, so that a fast receiver never waits for the database. With 64 of a host,
 * 32 hosts that hang fill one process, and one org can fill an eighth of it.
 */
const LIMITS = { total: 2048, perHost: 64, perOrg: 256 };
/** Claimed per look. */
const CLAIM_BATCH = 64;
/** What is being sent when the process is told to stop has this long; then it is left to be sent again. */
const GRACE_MS = seconds(3);

/**
 * Sends what is due. Work is claimed by a lease that is renewed while it goes on: a process that dies loses its claims
 * after seconds, and another one goes on where the record says. Notifications of one item are sent one after the other.
 */
@Injectable()
export class DeliveryWorker implements BeforeApplicationShutdown {
  private readonly counts = new ClaimCounts(LIMITS);
  private readonly lanes = new HostLanes(MAX_RUNNING_PER_HOST);
  private readonly chains = new Map<string, Promise<void>>();
  private readonly running = new Set<Promise<void>>();
  private readonly logger = new Logger('webhooks');
  private readonly looks = new Coalesced(() => this.claimAll());
  private readonly aborted = new AbortController();
  private stopped = false;

  constructor(
    private readonly line: ClaimedLine,
    private readonly delivery: Delivery,
    private readonly receivers: Receivers,
    private readonly clock: Clock,
  ) {}

  /** Claims and starts what is due now. @returns how many were started */
  @Interval(seconds(0.5))
  look(): Promise<number> {
    return this.looks.run();
  }

  /** Starts a look without waiting for it: something has just become due. */
  wake(): void {
    if (this.stopped) return;
    this.look().catch((error: unknown) => this.logger.error({ event: 'look_failed', err: error }));
  }

  /** Looks until nothing is due and everything started has ended; for tests. */
  async drain(): Promise<void> {
    for (;;) {
      await this.look();
      if (this.running.size === 0) return;
      await Promise.all(this.running);
    }
  }

  /** While the database is still connected, so that how deliveries ended is recorded. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await Promise.race([Promise.allSettled(this.running), delay(GRACE_MS, undefined, { ref: false })]);
    this.aborted.abort(new Error('the process stops'));
    await Promise.allSettled(this.running);
    await this.line.close();
  }

  private async claimAll(): Promise<number> {
    let started = 0;
    while (!this.stopped && this.counts.free > 0) {
      const limit = Math.min(CLAIM_BATCH, this.counts.free);
      const { found, ready } = await this.line.claim(this.clock.now(), limit, this.counts.busy);
      if (found === 0) break;
      const receivers = await this.receivers.lookUp(ready.map(({ notification }) => notification));
      for (const claimed of ready) this.start(claimed, receivers.of(claimed.notification));
      started += ready.length;
    }
    return started;
  }

  private start(claimed: Claimed, receiver: Receiver | null): void {
    const { host, orderKey } = claimed.plan;
    const { oid } = claimed.notification;
    this.counts.take(host, oid);
    const before = this.chains.get(orderKey);
    const work = (before ?? Promise.resolve())
      .then(() => this.lanes.run(host, () => this.deliver(claimed, before ? undefined : receiver)))
      .finally(() => {
        this.counts.release(host, oid);
        this.running.delete(work);
        if (this.chains.get(orderKey) === work) this.chains.delete(orderKey);
        if (this.counts.isLow(host)) this.wake();
      });
    this.chains.set(orderKey, work);
    this.running.add(work);
  }

  /** @param receiver undefined when it may have changed since the claim, while another one of the item was sent */
  private async deliver(claimed: Claimed, receiver: Receiver | null | undefined): Promise<void> {
    const { notification } = claimed;
    if (this.stopped) return; // given back by `line.close`
    try {
      const to = receiver === undefined ? (await this.receivers.lookUp([notification])).of(notification) : receiver;
      await this.delivery.tryOnce(claimed, to, this.aborted.signal);
      this.line.done(notification._id);
    } catch (error) {
      // The claim runs out and the try is made again.
      if (!this.stopped) {
        this.line.done(notification._id);
        this.logger.error({ event: 'delivery_interrupted', notificationId: notification._id, err: error });
      }
    }
  }
}
