import {
  Bool,
  DateTime,
  HttpUrlText,
  Int,
  ItemId,
  ListOf,
  MapOf,
  Str,
  TimeText,
  Uuid,
} from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

/** Filters and page of a list of files. WASAPI general specification, 1.0. */
export class WebdataQuery {
  /** Names, separated by semicolons; `*` stands for any characters, `?` for one. */
  @Str({ max: 1_000, optional: true }) filename?: string;
  /** `wacz`; files of another type there are none. */
  @Str({ max: 100, optional: true }) filetype?: string;
  /** Slug or id of the account, i.e. the org. All orgs of the caller by default. */
  @Str({ max: 200, optional: true }) account?: string;
  /** Ids of items. */
  @ListOf(str({ max: 200 }), { optional: true }) crawl?: string[];
  /** Ids or slugs of collections. */
  @ListOf(str({ max: 200 }), { optional: true }) collection?: string[];
  /** The file was made at this time or later. */
  @DateTime({ optional: true }) 'crawl-time-after'?: Date;
  /** The file was made before this time. */
  @DateTime({ optional: true }) 'crawl-time-before'?: Date;
  /** The crawl began at this time or later. */
  @DateTime({ optional: true }) 'crawl-start-after'?: Date;
  /** The crawl began before this time. */
  @DateTime({ optional: true }) 'crawl-start-before'?: Date;
  @Int({ min: 1, max: 1_000_000 }) page = 1;
  /** Files of a page. */
  @Int({ min: 1, max: 2_000 }) page_size = 100;
  /** Where the page begins; `next` has it. */
  @Str({ max: 500, optional: true }) cursor?: string;
}

export class WebdataFilePath {
  @Uuid() oid!: string;
  @ItemId() crawl_id!: string;
  /** The file's name. */
  @Str({ max: 1_000 }) filename!: string;
}

export class WebdataFile {
  @Str() filename!: string;
  /** `wacz`. */
  @Str() filetype!: string;
  /** Hex digits by algorithm: `sha256`. */
  @MapOf(str()) checksums!: Record<string, string>;
  /** Slug of the org. */
  @Str() account!: string;
  /** Bytes. */
  @Int() size!: number;
  /** Id of a collection, the first that was asked for where any was; null without one. */
  @Str({ nullable: true }) collection!: string | null;
  /** Ids of all its collections. Addition to WASAPI. */
  @ListOf(str()) collections!: string[];
  /** Id of the item. */
  @Str() crawl!: string;
  /** When the crawl was finished. */
  @TimeText({ nullable: true }) 'crawl-time'!: string | null;
  /** When the crawl began, or the upload came. */
  @TimeText() 'crawl-start'!: string;
  /** Where the file is read: here, with the same login, and at an address that needs none for a while. */
  @ListOf(str()) locations!: string[];
}

export class WebdataOut {
  /** Files of all pages. */
  @Int() count!: number;
  /** Address of the page after this one; null on the last. */
  @HttpUrlText({ nullable: true }) next!: string | null;
  /** Address of the page before this one; null on the first. */
  @HttpUrlText({ nullable: true }) previous!: string | null;
  /** Whether there are files that were not asked for. */
  @Bool() 'includes-extra'!: boolean;
  /** Address that this answers. */
  @HttpUrlText() 'request-url'!: string;
  /** Files of this page. */
  @ListOf(() => WebdataFile) files!: WebdataFile[];
}
