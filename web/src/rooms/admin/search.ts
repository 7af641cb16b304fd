import { auditSearch, type AuditSearch } from '../../ui/audit/audit-search';
import { listSearch, textOf, type ListSearch } from '../../ui/list-search';

export const TABS = ['orgs', 'users', 'crawls', 'jobs', 'audit', 'subscriptions', 'system'] as const;
export type Tab = (typeof TABS)[number];

export interface AdminSearch extends ListSearch, AuditSearch {
  readonly tab?: Tab | undefined;
  /** Part of a name or an address. */
  readonly q?: string | undefined;
  /** Only jobs that succeeded, or that did not. */
  readonly success?: boolean | undefined;
  /** Also crawls that have ended. */
  readonly ended?: boolean | undefined;
}

export function adminSearch(search: Record<string, unknown>): AdminSearch {
  const tab = TABS.find((one) => one === search['tab']);
  const q = textOf(search['q']);
  const { success, ended } = search;
  return {
    ...listSearch(search),
    ...auditSearch(search),
    ...(tab ? { tab } : {}),
    ...(q ? { q } : {}),
    ...(typeof success === 'boolean' ? { success } : {}),
    ...(ended === true ? { ended } : {}),
  };
}
