import { Injectable } from '@nestjs/common';
import { checkSort, pageOf, type ListPage } from '../common/pagination/page.js';
import type { Org } from '../orgs/data/org.schema.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import { NotificationsQueries } from './data/notifications.queries.js';
import { NotificationsRepository } from './data/notifications.repository.js';
import type { Notification } from './data/notification.schema.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './events/webhook-events.js';
import type { WebhookEndpoint, WebhooksQuery } from './dto/webhooks.dto.js';
import { toEndpoint } from './webhook.presenter.js';
import { WebhookRecorder } from './webhook-recorder.js';
import { webhookUrlOf } from './webhook-url.js';
import { NotificationNotFound } from './webhooks.errors.js';

const SORT_FIELDS = ['success', 'event', 'attempts', 'created', 'lastAttempted'];

/** Lets owners read and resend their org's notifications. Contract: archive §11. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly queries: NotificationsQueries,
    private readonly endpoints: EndpointsRepository,
    private readonly recorder: WebhookRecorder,
  ) {}

  /** @throws InvalidSortBy, InvalidSortDirection */
  async list(org: Org, query: WebhooksQuery): Promise<ListPage<Notification>> {
    const sort = checkSort(SORT_FIELDS, query.sortBy, query.sortDirection);
    const { rows, total } = await this.queries.list(org._id, query, sort, query);
    return pageOf(query, total, rows);
  }

  /** @throws NotificationNotFound */
  async get(org: Org, notificationId: string): Promise<Notification> {
    const notification = await this.notifications.get(org._id, notificationId);
    if (!notification) throw new NotificationNotFound();
    return notification;
  }

  /** Starts a new overall attempt whatever the result of earlier ones. @throws NotificationNotFound */
  async retry(org: Org, notificationId: string): Promise<void> {
    await this.recorder.resend(org, await this.get(org, notificationId));
  }

  async listEndpoints(org: Org): Promise<WebhookEndpoint[]> {
    const known = new Map((await this.endpoints.findAll(org._id)).map((endpoint) => [endpoint.event, endpoint]));
    return WEBHOOK_EVENT_TYPES.map((event) => toEndpoint(event, webhookUrlOf(org, event), known.get(event)));
  }

  /** Resumes a paused endpoint and sends its kept notifications. Does nothing for an endpoint that is not paused. */
  async resume(org: Org, event: WebhookEventType): Promise<void> {
    await this.endpoints.resume(org._id, event);
    await this.recorder.sendHeld(org, event);
  }
}
