import { notFound } from '../common/errors/domain-error.js';

/** There is no such notification. */
export class NotificationNotFound extends notFound('notification_not_found') {}

/** The org has no receiver for this event. */
export class WebhookUrlNotSet extends notFound('webhook_url_not_set') {}
