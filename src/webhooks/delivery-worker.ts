import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { Coalesced } from '../common/concurrency/coalesced.js';
import { minutes } from '../common/units/durations.js';
import { NotificationsRepository } from './data/notifications.repository.js';
import type { Notification } from './data/notification.schema.js';
import { Delivery } from './delivery.js';
import { HostSlots } from './host-slots.js';

/** A claim outlives the longest try (30 s) with room for a slow database. */
const LEASE_MS = minutes(2);
const MAX_PARALLEL = 64;
const MAX_PARALLEL_PER_HOST = 16;
/** Claimed per look, so that a long backlog is worked through without a look per notification. */
const CLAIM_BATCH = 32;

/**
 * Sends what is due. Work is claimed by lease: a process that dies loses its claims after two minutes, and another one
 * goes on where the record says. Notifications of one item are sent one after the other.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationShutdown {
  private readonly slots = new HostSlots(MAX_PARALLEL, MAX_PARALLEL_PER_HOST);
  private readonly chains = new Map<string, Promise<void>>();
  private readonly running = new Set<Promise<void>>();
  private readonly logger = new Logger('webhooks');
  private readonly looks = new Coalesced(() => this.claimAll());
  private stopped = false;

  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly delivery: Delivery,
    private readonly clock: Clock,
  ) {}

  /** Claims and starts what is due now. @returns how many were started */
  look(): Promise<number> {
    return this.looks.run();
  }

  /** Starts a look without waiting for it: something has just become due. */
  wake(): void {
    if (this.stopped) return;
    this.look().catch((error: unknown) => this.logger.error({ event: 'look_failed', err: error }));
  }

  /** Looks until nothing is due and everything started has ended; for tests and shutdown. */
  async drain(): Promise<void> {
    for (;;) {
      await this.look();
      if (this.running.size === 0) return;
      await Promise.all(this.running);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    await Promise.allSettled(this.running);
  }

  private async claimAll(): Promise<number> {
    let started = 0;
    while (!this.stopped && this.slots.free > 0) {
      const now = this.clock.now();
      const limit = Math.min(CLAIM_BATCH, this.slots.free);
      const claimed = await this.notifications.claim(
        now,
        new Date(now.getTime() + LEASE_MS),
        limit,
        this.slots.busyHosts,
      );
      if (claimed.length === 0) break;
      for (const notification of claimed) this.start(notification);
      started += claimed.length;
    }
    return started;
  }

  private start(notification: Notification): void {
    const { host = '', orderKey = notification._id } = notification.plan ?? {};
    this.slots.take(host);
    const before = this.chains.get(orderKey) ?? Promise.resolve();
    const work = before
      .then(() => this.deliver(notification))
      .finally(() => {
        this.slots.release(host);
        this.running.delete(work);
        if (this.chains.get(orderKey) === work) this.chains.delete(orderKey);
        if (!this.stopped) this.wake();
      });
    this.chains.set(orderKey, work);
    this.running.add(work);
  }

  private async deliver(notification: Notification): Promise<void> {
    try {
      await this.delivery.tryOnce(notification);
    } catch (error) {
      // The lease runs out and the try is made again.
      this.logger.error({ event: 'delivery_interrupted', notificationId: notification._id, err: error });
    }
  }
}
