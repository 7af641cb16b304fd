import type { Org } from '../orgs/data/org.schema.js';

/** The receiver that an org configured for an event, or null. */
export const webhookUrlOf = (org: Pick<Org, 'webhookUrls'>, event: string): string | null =>
  (org.webhookUrls as Record<string, string | null | undefined> | null | undefined)?.[event] ?? null;
