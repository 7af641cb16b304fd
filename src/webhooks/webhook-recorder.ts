import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { orderAt } from '../database/fact-order.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import type { Org } from '../orgs/data/org.schema.js';
import { NotificationsRepository } from './data/notifications.repository.js';
import type { DeliveryPlan, Notification } from './data/notification.schema.js';
import { DeliveryWorker } from './delivery-worker.js';
import type { WebhookEventType } from './dto/webhook-event-type.js';
import { orderKeyOf } from './order-key.js';
import { webhookUrlOf } from './webhook-url.js';

/** UUID (version 8, RFC 9562) made from the fact and what it is told as: the same fact is recorded once. */
function notificationIdOf(factId: string, event: string, discriminator: string): string {
  const hex = createHash('sha256').update(`${factId}\n${event}\n${discriminator}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export interface Fact {
  /** Id of the domain event. */
  readonly id: string;
  readonly oid: string;
  readonly event: WebhookEventType;
  /** Where one fact is told as several notifications, what tells them apart. */
  readonly discriminator?: string;
  /** Notifications of one item are sent in this order. */
  readonly order: number;
}

export type BodyBuilder = (org: Org) => Promise<Record<string, unknown>> | Record<string, unknown>;

/** Turns facts into stored notifications, for events that the org has a receiver for. */
@Injectable()
export class WebhookRecorder {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly notifications: NotificationsRepository,
    private readonly worker: DeliveryWorker,
    private readonly clock: Clock,
  ) {}

  /** Idempotent by the fact. The body is built only when there is a receiver. */
  async record(fact: Fact, body: BodyBuilder): Promise<void> {
    const { oid, event } = fact;
    const org = await this.orgs.findById(oid);
    const url = org ? webhookUrlOf(org, event) : null;
    if (!org || !url) return;
    const id = notificationIdOf(fact.id, event, fact.discriminator ?? '');
    const told = { orgId: oid, ...(await body(org)), event };
    const seq = fact.order;
    await this.notifications.insertOnce({
      _id: id,
      event,
      oid,
      body: told,
      success: false,
      attempts: 0,
      created: this.clock.creationTime(),
      lastAttempted: null,
      seq,
      plan: this.plan(url, { id, body: told, seq, counted: false }),
    });
    this.worker.wake();
  }

  /** Sends a stored notification again, to the URL that is configured now; without one nothing happens. */
  async resend(org: Org, { _id: id, event, body }: Notification): Promise<void> {
    const url = webhookUrlOf(org, event);
    if (!url) return;
    const plan = this.plan(url, { id, body, seq: orderAt(this.clock.nowMs()), counted: true });
    await this.notifications.startAttempt(org._id, id, plan, this.clock.timestamp());
    this.worker.wake();
  }

  /** Sends what was kept back for a paused receiver, to the URL that is configured now. */
  async sendHeld(org: Org, event: WebhookEventType): Promise<void> {
    const url = webhookUrlOf(org, event);
    if (!url) return;
    await this.notifications.releaseHeld(org._id, event, new URL(url).host, this.clock.now());
    this.worker.wake();
  }

  private plan(url: string, { id, body, seq, counted }: Planned): DeliveryPlan {
    const { host } = new URL(url);
    const nobody = { leaseUntil: new Date(0), claim: null };
    return { dueAt: this.clock.now(), tries: 0, counted, ...nobody, host, orderKey: orderKeyOf(host, body, id), seq };
  }
}

interface Planned {
  readonly id: string;
  readonly body: Record<string, unknown>;
  readonly seq: number;
  readonly counted: boolean;
}
