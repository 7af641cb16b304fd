import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { orderAt } from '../database/fact-order.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import type { Org } from '../orgs/data/org.schema.js';
import { NotificationsRepository } from './data/notifications.repository.js';
import { UNCLAIMED, type DeliveryPlan, type Notification, type NotificationBody } from './data/notification.schema.js';
import { DeliveryWorker } from './delivery-worker.js';
import type { DomainEvent, OrgFact } from '../events/event-types.js';
import type { Build, WebhookEvent } from './events/webhook-event.js';
import type { AnyWebhookBody, WebhookEventType } from './events/webhook-events.js';
import { WebhookBodies } from './webhook-bodies.js';
import { orderKeyOf } from './order-key.js';
import { webhookUrlOf } from './webhook-url.js';

/** UUID (version 8, RFC 9562) of a fact and the event it is told as, so that the same fact is recorded once. */
function notificationIdOf(factId: string, event: string, discriminator: string): string {
  const hex = createHash('sha256').update(`${factId}\n${event}\n${discriminator}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Turns facts into stored notifications, for events that the org has a receiver for. */
@Injectable()
export class WebhookRecorder {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly notifications: NotificationsRepository,
    private readonly worker: DeliveryWorker,
    private readonly bodies: WebhookBodies,
    private readonly clock: Clock,
  ) {}

  /** Records each fact once. The body is built only when there is a receiver. */
  async record(
    event: WebhookEvent<AnyWebhookBody>,
    fact: DomainEvent<OrgFact>,
    build: Build<AnyWebhookBody>,
  ): Promise<void> {
    const org = await this.orgs.findById(fact.payload.oid);
    const url = org ? webhookUrlOf(org, event.name) : null;
    if (!org || !url) return;
    const content = await build(org, this.bodies);
    const id = notificationIdOf(fact.id, event.name, event.tellsApart?.(content) ?? '');
    const body: NotificationBody = { orgId: org._id, ...content, event: event.name };
    if (event.oncePerItem && body.itemId && (await this.notifications.existsForItem(org._id, event.name, body.itemId)))
      return;
    const seq = fact.order;
    await this.notifications.insertOnce({
      _id: id,
      event: event.name,
      oid: org._id,
      body,
      success: false,
      attempts: 0,
      created: this.clock.creationTime(),
      lastAttempted: null,
      seq,
      plan: this.plan(url, { id, body, seq, counted: false }),
    });
    this.worker.wake();
  }

  /** Sends a stored notification again to the URL that is configured now. Without a URL nothing happens. */
  async resend(org: Org, { _id: id, event, body }: Notification): Promise<void> {
    const url = webhookUrlOf(org, event);
    if (!url) return;
    const plan = this.plan(url, { id, body, seq: orderAt(this.clock.nowMs()), counted: true });
    await this.notifications.startAttempt(org._id, id, plan, this.clock.timestamp());
    this.worker.wake();
  }

  /** Sends the notifications kept for a paused receiver to the URL that is configured now. */
  async sendHeld(org: Org, event: WebhookEventType): Promise<void> {
    const url = webhookUrlOf(org, event);
    if (!url) return;
    await this.notifications.releaseHeld(org._id, event, new URL(url).host, this.clock.now());
    this.worker.wake();
  }

  private plan(url: string, { id, body, seq, counted }: Planned): DeliveryPlan {
    const { host } = new URL(url);
    return {
      dueAt: this.clock.now(),
      tries: 0,
      counted,
      ...UNCLAIMED,
      host,
      orderKey: orderKeyOf(host, body, id),
      seq,
    };
  }
}

interface Planned {
  readonly id: string;
  readonly body: NotificationBody;
  readonly seq: number;
  readonly counted: boolean;
}
