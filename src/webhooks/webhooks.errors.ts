import { NotFound } from '../common/errors/domain-error.js';

export class NotificationNotFound extends NotFound {
  readonly detail = 'notification_not_found';
}
