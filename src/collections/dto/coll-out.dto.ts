import { list, literal, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';
import { UserFileOut } from '../../files/dto/user-file-out.dto.js';
import { PageOut } from '../../pages/dto/page-out.dto.js';
import { INDEX_STATES, type IndexState } from '../data/collection.schema.js';
import { DedupeIndexStats } from './dedupe-index-stats.dto.js';
import { PreloadResource } from './preload-resource.dto.js';
import { SharedCollOut } from './shared-coll-out.dto.js';

/** A collection as members of its org see it. */
export class CollOut extends SharedCollOut {
  @Field(nullable(list(str())), { default: [] }) tags!: string[] | null;
  @Field(nullable(uuid()), { default: null }) homeUrlPageId!: string | null;
  @Field(nullable(model(() => UserFileOut)), { default: null }) thumbnail!: UserFileOut | null;
  /** The pages that the player shows first. */
  @Field(list(model(() => PageOut)), { default: [] }) initialPages!: PageOut[];
  @Field(list(model(() => PreloadResource)), { default: [] }) preloadResources!: PreloadResource[];
  /** Where the player looks for the other pages. */
  @Field(str(), { default: '' }) pagesQueryUrl!: string;
  @Field(nullable(str()), { default: null }) downloadUrl!: string | null;
  @Field(nullable(dateTime()), { default: null }) indexLastSavedAt!: string | null;
  /** Of the dedupe index; null: the collection has none. */
  @Field(nullable(literal(...INDEX_STATES)), { default: null }) indexState!: IndexState | null;
  @Field(nullable(model(() => DedupeIndexStats)), { default: null }) indexStats!: DedupeIndexStats | null;
}
