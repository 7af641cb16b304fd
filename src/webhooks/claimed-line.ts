import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { seconds } from '../common/units/durations.js';
import { NotificationsRepository, type Busy } from './data/notifications.repository.js';
import type { Notification } from './data/notification.schema.js';
import type { Claimed } from './delivery.js';

/** A process that dies holds its claims this long. */
const LEASE_MS = seconds(15);
const HEARTBEAT_MS = seconds(5);
/** Before what another process has to send first is looked for again. */
const OUT_OF_TURN_WAIT_MS = 250;

/** What this process has claimed: keeps the claims alive, and takes the notifications of an item in their order only. */
@Injectable()
export class ClaimedLine {
  private readonly claims = new Map<string, string>();
  private readonly logger = new Logger('webhooks');
  private heartbeat: NodeJS.Timeout | undefined;

  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns how many were due, and those of them that are ours to send, in order */
  async claim(now: Date, limit: number, busy: Busy): Promise<{ found: number; ready: Claimed[] }> {
    const found = (await this.notifications.claim(now, this.leaseEnd(), limit, busy)).flatMap(toClaimed);
    for (const { notification, claim } of found) this.claims.set(notification._id, claim);
    if (found.length === 0) return { found: 0, ready: [] };
    this.heartbeat ??= setInterval(() => this.renew(), HEARTBEAT_MS).unref();
    return { found: found.length, ready: await this.inTurn(found, now) };
  }

  /** The notification is no longer ours, or nothing is to be done with it any more. */
  done(notificationId: string): void {
    this.claims.delete(notificationId);
  }

  /** Gives back what is left, so that another process need not wait for the leases. */
  async close(): Promise<void> {
    clearInterval(this.heartbeat);
    if (this.claims.size > 0) await this.notifications.giveBack([...this.claims.values()], [...this.claims.keys()]);
  }

  private leaseEnd(): Date {
    return new Date(this.clock.nowMs() + LEASE_MS);
  }

  /**
   * Leaves out those with an earlier one of their item in other hands, or left behind by a process that died. Asked after
   * the claim: of two processes that claim one each, the one with the later one sees the other's.
   */
  private async inTurn(found: Claimed[], now: Date): Promise<Claimed[]> {
    const keys = [...new Set(found.map(({ plan }) => plan.orderKey))];
    const others = await this.notifications.firstOfOthers(keys, [...this.claims.keys()], now);
    const isInTurn = ({ plan }: Claimed): boolean => plan.seq <= (others.get(plan.orderKey) ?? Infinity);
    const early = found.filter((claimed) => !isInTurn(claimed));
    if (early.length > 0) await this.putBack(early, others, now);
    return found.filter(isInTurn);
  }

  private async putBack(early: readonly Claimed[], others: ReadonlyMap<string, number>, now: Date): Promise<void> {
    const dueAt = new Date(now.getTime() + OUT_OF_TURN_WAIT_MS);
    const ids = early.map(({ notification }) => notification._id);
    await this.notifications.giveBack([...new Set(early.map(({ claim }) => claim))], ids, dueAt);
    for (const id of ids) this.claims.delete(id);
    // Those behind them need not be claimed one by one to find the same.
    const keys = new Set(early.map(({ plan }) => plan.orderKey));
    await this.notifications.postpone(
      [...keys].map((orderKey) => ({ orderKey, after: others.get(orderKey) ?? Infinity })),
      now,
      dueAt,
    );
  }

  private renew(): void {
    if (this.claims.size === 0) return;
    this.notifications
      .renew([...new Set(this.claims.values())], [...this.claims.keys()], this.leaseEnd())
      .catch((error: unknown) => this.logger.warn({ event: 'heartbeat_failed', err: error }));
  }
}

const toClaimed = (notification: Notification): Claimed[] => {
  const { plan } = notification;
  return plan?.claim ? [{ notification, plan, claim: plan.claim }] : [];
};
