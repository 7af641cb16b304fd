import { auditSearch, type AuditSearch } from '../../ui/audit/audit-search';
import { listSearch, textOf, type ListSearch } from '../../ui/list-search';

export const TABS = [
  'general',
  'members',
  'usage',
  'defaults',
  'storage',
  'webhooks',
  'keys',
  'jobs',
  'audit',
  'billing',
  'administration',
] as const;
export type Tab = (typeof TABS)[number];

/** What the address says: the part of the settings, and the filters of its list. */
export interface SettingsSearch extends ListSearch, AuditSearch {
  readonly tab?: Tab | undefined;
  /** Only notifications of this event. */
  readonly event?: string | undefined;
  /** Only what succeeded, or what did not. */
  readonly success?: boolean | undefined;
}

export function settingsSearch(search: Record<string, unknown>): SettingsSearch {
  const tab = TABS.find((one) => one === search['tab']);
  const event = textOf(search['event']);
  const { success } = search;
  return {
    ...listSearch(search),
    ...auditSearch(search),
    ...(tab ? { tab } : {}),
    ...(event ? { event } : {}),
    ...(typeof success === 'boolean' ? { success } : {}),
  };
}
