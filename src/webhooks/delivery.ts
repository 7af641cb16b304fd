import { Injectable, Logger } from '@nestjs/common';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { TRIES_PER_ATTEMPT } from './backoff.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import { NotificationsRepository } from './data/notifications.repository.js';
import type { DeliveryPlan, Notification } from './data/notification.schema.js';
import { DeliveryTimes } from './delivery-times.js';
import { PauseNotice } from './pause-notice.js';
import { SigningSecrets } from './signing-secrets.js';
import { WebhookSender, type SendResult } from './webhook-sender.js';
import { webhookUrlOf } from './webhook-url.js';

const IDLE_LEASE = new Date(0);

/** One try of one claimed notification, and what follows from it. */
@Injectable()
export class Delivery {
  private readonly logger = new Logger('webhooks');

  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly orgs: OrgsRepository,
    private readonly sender: WebhookSender,
    private readonly secrets: SigningSecrets,
    private readonly notice: PauseNotice,
    private readonly times: DeliveryTimes,
  ) {}

  async tryOnce(notification: Notification): Promise<void> {
    const { _id: id, oid, event, plan } = notification;
    if (!plan) return;
    const [org, endpoint] = await Promise.all([this.orgs.findById(oid), this.endpoints.get(oid, event)]);
    const url = org ? webhookUrlOf(org, event) : null;
    if (!url) return this.notifications.finish(id, null, false, false);
    if (endpoint?.paused) return this.notifications.hold(id);
    const result = await this.sender.send(url, notification, await this.secrets.of(oid));
    await this.record(notification, plan, result);
  }

  private async record(notification: Notification, plan: DeliveryPlan, { succeeded, made }: SendResult): Promise<void> {
    const { _id: id, oid, event } = notification;
    this.logger.log({
      event: 'webhook_try',
      oid,
      notificationId: id,
      kind: event,
      status: made.status,
      latencyMs: made.latencyMs,
    });
    if (succeeded) {
      await this.notifications.finish(id, made, true, !plan.counted);
      return this.endpoints.succeeded(oid, event, made.at);
    }
    const tries = plan.tries + 1;
    if (tries < TRIES_PER_ATTEMPT) {
      const next = { ...plan, tries, counted: true, leaseUntil: IDLE_LEASE, dueAt: this.times.nextTryAt(tries) };
      return this.notifications.planNext(id, next, made, !plan.counted);
    }
    await this.notifications.finish(id, made, false, !plan.counted);
    await this.pauseIfDead(oid, event, await this.endpoints.failed(oid, event, made.at));
  }

  private async pauseIfDead(oid: string, event: string, failingSince: Date): Promise<void> {
    if (!this.times.isDeadSince(failingSince)) return;
    if (await this.endpoints.pause(oid, event)) await this.notice.send(oid, event, failingSince);
  }
}
