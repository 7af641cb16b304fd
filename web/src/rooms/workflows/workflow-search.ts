import { listSearch, textOf, textsOf, type ListSearch } from '../../ui/list-search';

/** What the address says of the list of workflows. */
export interface WorkflowSearch extends ListSearch {
  readonly name?: string;
  readonly firstSeed?: string;
  readonly states?: readonly string[];
  readonly tags?: readonly string[];
  /** A workflow has to have one of the tags instead of all. */
  readonly anyTag?: true;
  readonly schedule?: 'yes' | 'no';
  readonly mine?: true;
  readonly running?: true;
  readonly profile?: string;
}

/** The filters of an address; what is malformed is left out. */
export function workflowSearch(search: Record<string, unknown>): WorkflowSearch {
  const { schedule } = search;
  return present({
    ...listSearch(search),
    name: textOf(search['name']),
    firstSeed: textOf(search['firstSeed']),
    states: textsOf(search['states']),
    tags: textsOf(search['tags']),
    profile: textOf(search['profile']),
    anyTag: search['anyTag'] === true ? true : undefined,
    schedule: schedule === 'yes' || schedule === 'no' ? schedule : undefined,
    mine: search['mine'] === true ? true : undefined,
    running: search['running'] === true ? true : undefined,
  });
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const present = <T extends object>(values: T): Present<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;

export const isFiltered = (search: WorkflowSearch): boolean =>
  (['name', 'firstSeed', 'states', 'tags', 'schedule', 'mine', 'running', 'profile'] as const).some(
    (key) => search[key] !== undefined,
  );
