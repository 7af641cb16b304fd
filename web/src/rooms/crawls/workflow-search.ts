import { listSearch, textOf, textsOf, type ListSearch } from '../../ui/list-search';

const TABS = ['latest', 'logs', 'history', 'settings'] as const;
export type WorkflowTab = (typeof TABS)[number];

/** What the address says of a workflow's page. */
export interface WorkflowSearch extends ListSearch {
  readonly tab?: WorkflowTab;
  /** The crawl whose logs are shown; without it the latest. */
  readonly crawl?: string;
  readonly log?: 'behaviors';
  readonly find?: string;
  /** States that the history is limited to. */
  readonly state?: readonly string[];
}

export function workflowSearch(search: Record<string, unknown>): WorkflowSearch {
  const tab = TABS.find((one) => one === search['tab'] && one !== 'latest');
  const crawl = textOf(search['crawl']);
  const find = textOf(search['find']);
  const state = textsOf(search['state']);
  return {
    ...listSearch(search),
    ...(tab ? { tab } : {}),
    ...(crawl ? { crawl } : {}),
    ...(search['log'] === 'behaviors' ? { log: 'behaviors' } : {}),
    ...(find ? { find } : {}),
    ...(state ? { state } : {}),
  };
}

/** The values of the address with a change; `undefined` takes a value out of it. */
export type ChangeSearch = (change: Partial<WorkflowSearch>) => void;
