import { listSearch, textOf, textsOf, type ListSearch } from '../../ui/list-search';

export interface ProfilesSearch extends ListSearch {
  readonly name?: string;
  readonly tags?: readonly string[];
}
export function profilesSearch(search: Record<string, unknown>): ProfilesSearch {
  const [name, tags] = [textOf(search['name']), textsOf(search['tags'])];
  return { ...listSearch(search), ...(name ? { name } : {}), ...(tags ? { tags } : {}) };
}
