import type { ListSearch } from '../../ui/list-search';

export interface UploadsSearch extends ListSearch {
  readonly name?: string | undefined;
}
