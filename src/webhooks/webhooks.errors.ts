import { notFound } from '../common/errors/domain-error.js';

export class NotificationNotFound extends notFound('notification_not_found') {}
