import type { NotificationBody } from './data/notification.schema.js';

/** Notifications with the same key are sent in order: those of one item and one host. */
export const orderKeyOf = (
  host: string,
  { qaRunId, itemId, collectionId }: NotificationBody,
  notificationId: string,
): string => `${host} ${qaRunId ?? itemId ?? collectionId ?? notificationId}`;
