import { ListOf, Bool, Int, Of, OneOf, Str, Uuid } from '../../common/validation/fields.js';
import type { Kind } from '../../common/validation/kind.js';
import { str } from '../../common/validation/scalars.js';
import { MATCH_TYPES, type MatchType } from '../rules/capture-query.js';
import { PublicCollectionPath } from '../../collections/dto/collection-queries.dto.js';

/** Longest address. Node refuses requests whose head has more than 16 KiB. */
const MAX_URL = 8_000;

/** The start of a time as `YYYYMMDDhhmmss`, with at least the year. */
const timestamp = (): Kind<string> => str({ pattern: /^\d{4,17}$/ });

/** How captures are asked for, in the manner of CDX servers. */
class CaptureFilters {
  /** Which addresses count: the address itself, those that begin with it, of its host, of its host and those below. */
  @OneOf(MATCH_TYPES, { optional: true }) matchType?: MatchType;
  /** Captures from this time on, `YYYYMMDDhhmmss` or the start of it. */
  @Of(timestamp(), { optional: true }) from?: string;
  /** Captures up to this time, or within the year, month or day given. */
  @Of(timestamp(), { optional: true }) to?: string;
  /** Most captures. */
  @Int({ min: 1, optional: true }) limit?: number;
  /**
   * `cdxj`: lines as indexes hold them; `json`: an object a line; `text`: fields between spaces, in the order of `fl`.
   */
  @OneOf(['cdxj', 'json', 'text']) output: 'cdxj' | 'json' | 'text' = 'cdxj';
  /** Fields, e.g. `timestamp,url,status`. The names of other servers, e.g. `original`, are known too. */
  @ListOf(str({ max: 50 }), { splitsCommas: true, optional: true }) fl?: string[];
  /** `<field>:<text>` for values that hold the text, `=<field>:<value>` for equal ones; `!` before it turns it round. */
  @ListOf(str({ max: 500, pattern: /^!?=?\w+:/ }), { optional: true }) filter?: string[];
  /** `closest`: by distance from the time `closest`. */
  @OneOf(['default', 'closest']) sort: 'default' | 'closest' = 'default';
  /** The time to be near to, as 1 to 14 digits; for `sort=closest`. */
  @Of(timestamp(), { optional: true }) closest?: string;
  /** There is one page, 0: the answer is sent as it is read. */
  @Int({ min: 0 }) page = 0;
  /** Whether to answer the number of pages instead. */
  @Bool() showNumPages = false;
}

/** Captures of an item or a collection; all of them without an address. */
export class CdxQuery extends CaptureFilters {
  /** Address; `<url>*` asks for those that begin with it, `*.<host>` for those of a host and below. */
  @Str({ max: MAX_URL, optional: true }) url?: string;
}

/** Captures of a public collection. */
export class PublicCdxQuery extends CaptureFilters {
  /** Address; `<url>*` asks for those that begin with it, `*.<host>` for those of a host and below. */
  @Str({ max: MAX_URL }) url!: string;
}

export class CollectionCdxPath {
  @Uuid() oid!: string;
  @Uuid() coll_id!: string;
}

/** Path of a resource in the past. The address follows as it is. */
export class MementoPath extends PublicCollectionPath {
  /** `YYYYMMDDhhmmss` or the start of it; `id_` behind it asks for the archived bytes. */
  @Str({ pattern: /^\d{4,17}(id_)?$/ }) time!: string;
}
