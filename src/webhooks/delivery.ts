import { Injectable, Logger } from '@nestjs/common';
import { Outcomes } from '../common/metrics/outcomes.js';
import { TRIES_PER_ATTEMPT } from './backoff.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import { NotificationsRepository, type ClaimedNotification } from './data/notifications.repository.js';
import { UNCLAIMED } from './data/notification.schema.js';
import { DeliveryResults } from './delivery-results.js';
import { DeliveryTimes } from './delivery-times.js';
import { PauseNotice } from './pause-notice.js';
import { Receivers, type Receiver } from './receivers.js';
import { WebhookSender, type SendResult } from './webhook-sender.js';

/** Makes one try of one claimed notification and plans what follows. */
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
    private readonly outcomes: Outcomes,
  ) {}

  /**
   * @param receiver the target; null when nobody is to be told any more
   * @throws when `signal` has cut the try short; nothing is written then
   */
  async tryOnce(claimed: ClaimedNotification, receiver: Receiver | null, signal: AbortSignal): Promise<void> {
    const { record, lease } = claimed;
    if (!receiver) return this.results.add({ lease, next: null, made: null, succeeded: false, countAttempt: false });
    if (receiver.paused) return this.hold(claimed);
    const result = await this.sender.send(receiver, record, signal);
    signal.throwIfAborted();
    await this.record(claimed, result);
  }

  /** Holds the notification. If the endpoint was resumed meanwhile, releases it, because nobody else would send it. */
  private async hold({ record, lease }: ClaimedNotification): Promise<void> {
    const { oid, event } = record;
    await this.notifications.hold(lease);
    const receiver = (await this.receivers.lookUp([record])).of(record);
    if (!receiver || receiver.paused) return;
    await this.notifications.releaseHeld(oid, event, new URL(receiver.url).host, this.times.now());
  }

  private async record({ record, plan, lease }: ClaimedNotification, { succeeded, made }: SendResult): Promise<void> {
    const { _id: id, oid, event } = record;
    const { status, latencyMs } = made;
    this.logger.log({ event: 'webhook_try', oid, notificationId: id, kind: event, status, latencyMs });
    this.outcomes.webhookTried(succeeded ? 'delivered' : 'refused');
    const outcome = { lease, made, succeeded, countAttempt: !plan.counted };
    if (succeeded) return this.results.add({ ...outcome, next: null }, { oid, event, at: made.at });
    const tries = plan.tries + 1;
    if (tries < TRIES_PER_ATTEMPT) {
      const next = { ...plan, ...UNCLAIMED, tries, counted: true, dueAt: this.times.nextTryAt(tries) };
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
