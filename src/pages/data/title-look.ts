import type { OrgScoped } from '../../database/org-scoped.js';
import { planTitleLook } from './page-query.js';
import type { Page } from './page.schema.js';

/** Whether any page of these items has one of the entries. A null entry means: stored without words. */
export async function hasAnyEntry(
  pages: OrgScoped<Page>,
  oid: string,
  crawlIds: readonly string[],
  entries: readonly (string | null)[],
): Promise<boolean> {
  const { filter, hint } = planTitleLook(crawlIds, entries);
  return (await pages.find(oid, filter, { limit: 1, projection: { _id: 1 }, hint })).length > 0;
}
