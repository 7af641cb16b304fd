import { Str, Uuid, TimeText, OneOf, ListOf, Nested } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { UserFileOut } from '../../files/dto/user-file-out.dto.js';
import { PageOut } from '../../pages/dto/page-out.dto.js';
import { INDEX_STATES, type IndexState } from '../data/collection.schema.js';
import { DedupeIndexStats } from './dedupe-index-stats.dto.js';
import { PreloadResource } from './preload-resource.dto.js';
import { SharedCollOut } from './shared-coll-out.dto.js';

/** A collection as members of its org see it. */
export class CollOut extends SharedCollOut {
  @ListOf(str(), { nullable: true }) tags: string[] | null = [];
  @Uuid({ nullable: true }) homeUrlPageId: string | null = null;
  @Nested(() => UserFileOut, { nullable: true }) thumbnail: UserFileOut | null = null;
  /** The pages that the player shows first. */
  @ListOf(() => PageOut) initialPages: PageOut[] = [];
  @ListOf(() => PreloadResource) preloadResources: PreloadResource[] = [];
  /** Where the player looks for the other pages. */
  @Str() pagesQueryUrl = '';
  @Str({ nullable: true }) downloadUrl: string | null = null;
  @TimeText({ nullable: true }) indexLastSavedAt: string | null = null;
  /** Of the dedupe index; null: the collection has none. */
  @OneOf([...INDEX_STATES], { nullable: true }) indexState: IndexState | null = null;
  @Nested(() => DedupeIndexStats, { nullable: true }) indexStats: DedupeIndexStats | null = null;
}
