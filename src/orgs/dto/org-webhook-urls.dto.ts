import { HttpUrlText, declaredFields } from '../../common/validation/fields.js';

/** A URL per event; which ones there are is said by the room of webhooks. */
export class OrgWebhookUrls {
  [event: string]: string | null | undefined;
}

/** Called before the first request. */
export const declareWebhookUrl = (event: string): void =>
  HttpUrlText({ nullable: true, optional: true })(OrgWebhookUrls.prototype, event);

/** A URL or null for each event, of whatever else the given ones are. */
export const webhookUrlsOf = (urls: OrgWebhookUrls | null | undefined): Record<string, string | null> =>
  Object.fromEntries(declaredFields(OrgWebhookUrls).map(({ name }) => [name, urls?.[name] ?? null]));
