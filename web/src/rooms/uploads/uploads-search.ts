import type { ListSearch } from '../../ui/list-search';

export interface UploadsSearch extends ListSearch {
  readonly name?: string | undefined;
  /** The upload whose file is about to be replaced. */
  readonly replace?: string | undefined;
}
