import { DomainError } from '../common/errors/domain-error.js';

export class NotificationNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly detail = 'notification_not_found';
}
