import { nullable } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { httpUrl } from '../../common/validation/formats.js';
import type { FieldType } from '../../common/validation/field-type.js';
import { declaredFields, Field } from '../../common/validation/model.js';

/** An http or https URL; the contract declares it as plain text. */
const url: FieldType<string> = { parse: httpUrl().parse, schema: str().schema };

/** A URL per event; which ones there are is said by the room of webhooks. */
export class OrgWebhookUrls {
  [event: string]: string | null | undefined;
}

/** Called before the first request. */
export const declareWebhookUrl = (event: string): void =>
  Field(nullable(url), { optional: true })(OrgWebhookUrls.prototype, event);

/** A URL or null for each event, of whatever else the given ones are. */
export const webhookUrlsOf = (urls: OrgWebhookUrls | null | undefined): Record<string, string | null> =>
  Object.fromEntries(declaredFields(OrgWebhookUrls).map(({ name }) => [name, urls?.[name] ?? null]));
