import { Injectable, Logger } from '@nestjs/common';
import { TRIES_PER_ATTEMPT } from './backoff.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import { NotificationsRepository } from './data/notifications.repository.js';
import type { DeliveryPlan, Notification } from './data/notification.schema.js';
import { DeliveryResults } from './delivery-results.js';
import { DeliveryTimes } from './delivery-times.js';
import { PauseNotice } from './pause-notice.js';
import { Receivers, type Receiver } from './receivers.js';
import { WebhookSender, type SendResult } from './webhook-sender.js';

const NOBODY = { leaseUntil: new Date(0), claim: null };

/** A notification whose plan says who has claimed it. */
export interface Claimed {
  readonly notification: Notification;
  readonly plan: DeliveryPlan;
  readonly claim: string;
}

/** One try of one claimed notification, and what follows from it. */
@Injectable()
export class Delivery {
  private readonly logger = new Logger('webhooks');

  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly receivers: Receivers,
    private readonly sender: WebhookSender,
    private readonly results: DeliveryResults,
    private readonly notice: PauseNotice,
    private readonly times: DeliveryTimes,
  ) {}

  /**
   * @param receiver where to, null when nobody is to be told any more
   * @throws when `signal` has cut the try short; nothing is written then
   */
  async tryOnce(claimed: Claimed, receiver: Receiver | null, signal: AbortSignal): Promise<void> {
    const { notification, claim } = claimed;
    const id = notification._id;
    if (!receiver) {
      const over = { id, claim, next: null, made: null, succeeded: false, countAttempt: false };
      return this.results.add(over);
    }
    if (receiver.paused) return this.hold(claimed);
    const result = await this.sender.send(receiver, notification, signal);
    signal.throwIfAborted();
    await this.record(claimed, result);
  }

  /** Resumed in between, nobody else would send it. */
  private async hold({ notification, claim }: Claimed): Promise<void> {
    const { _id: id, oid, event } = notification;
    await this.notifications.hold(id, claim);
    const receiver = (await this.receivers.lookUp([notification])).of(notification);
    if (!receiver || receiver.paused) return;
    await this.notifications.releaseHeld(oid, event, new URL(receiver.url).host, this.times.now());
  }

  private async record({ notification, plan, claim }: Claimed, { succeeded, made }: SendResult): Promise<void> {
    const { _id: id, oid, event } = notification;
    const { status, latencyMs } = made;
    this.logger.log({ event: 'webhook_try', oid, notificationId: id, kind: event, status, latencyMs });
    const outcome = { id, claim, made, succeeded, countAttempt: !plan.counted };
    if (succeeded) return this.results.add({ ...outcome, next: null }, { oid, event, at: made.at });
    const tries = plan.tries + 1;
    if (tries < TRIES_PER_ATTEMPT) {
      const next = { ...plan, ...NOBODY, tries, counted: true, dueAt: this.times.nextTryAt(tries) };
      return this.results.add({ ...outcome, next });
    }
    await this.results.add({ ...outcome, next: null });
    await this.pauseIfDead(oid, event, await this.endpoints.failed(oid, event, made.at));
  }

  private async pauseIfDead(oid: string, event: string, failingSince: Date): Promise<void> {
    if (!this.times.isDeadSince(failingSince)) return;
    if (await this.endpoints.pause(oid, event)) await this.notice.send(oid, event, failingSince);
  }
}
