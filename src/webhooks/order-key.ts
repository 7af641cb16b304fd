/** What a notification is about; its body says it. */
const subjectOf = (body: Record<string, unknown>, notificationId: string): string =>
  String(body['qaRunId'] ?? body['itemId'] ?? body['collectionId'] ?? notificationId);

/** Notifications with the same key are sent in order: those about one item, to one host. */
export const orderKeyOf = (host: string, body: Record<string, unknown>, notificationId: string): string =>
  `${host} ${subjectOf(body, notificationId)}`;
