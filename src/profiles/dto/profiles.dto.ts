import { PageQuery } from '../../common/pagination/page.js';
import { StorageRefOut } from '../../common/responses/responses.dto.js';
import { Str, Int, ListOf, Nested, Bool, Uuid, TimeText, BrowserId, Enum } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

/** The contract's `ListFilterType`. */
export const LIST_FILTER_TYPES = ['or', 'and'] as const;
export type ListFilterType = (typeof LIST_FILTER_TYPES)[number];

export class ProfileFile {
  @Str() filename!: string;
  @Str() hash!: string;
  @Int() size!: number;
  @Nested(() => StorageRefOut) storage!: StorageRefOut;
  @ListOf(() => StorageRefOut, { nullable: true }) replicas: StorageRefOut[] | null = [];
}

export class Profile {
  @Uuid() id!: string;
  @Str() name!: string;
  @Str({ nullable: true }) description: string | null = '';
  @Uuid() userid!: string;
  @Uuid() oid!: string;
  @ListOf(str()) origins!: string[];
  /** The profile's file; null: there is none. */
  @Nested(() => ProfileFile, { nullable: true }) resource: ProfileFile | null = null;
  @TimeText({ nullable: true }) created: string | null = null;
  @Uuid({ nullable: true }) createdBy: string | null = null;
  @Str({ nullable: true }) createdByName: string | null = null;
  @TimeText({ nullable: true }) modified: string | null = null;
  @Uuid({ nullable: true }) modifiedBy: string | null = null;
  @Str({ nullable: true }) modifiedByName: string | null = null;
  /** When a crawl last saved the profile. */
  @TimeText({ nullable: true }) modifiedCrawlDate: string | null = null;
  /** Id of the crawl that last saved the profile. */
  @Str({ nullable: true }) modifiedCrawlId: string | null = null;
  /** Id of that crawl's workflow. */
  @Uuid({ nullable: true }) modifiedCrawlCid: string | null = null;
  /** Id of the profile that this one was made from. */
  @Uuid({ nullable: true }) baseid: string | null = null;
  @Str({ nullable: true }) crawlerChannel: string | null = null;
  @Str({ nullable: true }) proxyId: string | null = null;
  /** Whether a workflow uses the profile. */
  @Bool() inUse = false;
  @ListOf(str(), { nullable: true }) tags: string[] | null = [];
}

export class PaginatedProfileResponse {
  @Int() total!: number;
  @Int() page!: number;
  @Int() pageSize!: number;
  @ListOf(() => Profile) items!: Profile[];
}

export class ProfileCreate {
  @Str() browserid!: string;
  @Str({ min: 1, max: 1000 }) name!: string;
  @Str({ max: 5000, nullable: true }) description: string | null = '';
  @ListOf(str({ min: 1, max: 80 }), { nullable: true }) tags: string[] | null = [];
}

export class ProfilesPath {
  @Uuid() oid!: string;
}

export class ProfilePath {
  @Uuid() profileid!: string;
  @Uuid() oid!: string;
}

export class BrowserPath {
  @Uuid() oid!: string;
  @BrowserId() browserid!: string;
}

export class ProfileListQuery extends PageQuery {
  /** Id of the creator. */
  @Uuid({ nullable: true, optional: true }) userid?: string | null;
  @ListOf(str(), { nullable: true, optional: true }) tags?: string[] | null;
  /** `and`: all of the tags; `or`: any. */
  @Enum('ListFilterType', LIST_FILTER_TYPES, { nullable: true }) tagMatch: ListFilterType | null = 'and';
  /** Whole name, without regard to case and accents. */
  @Str({ nullable: true, optional: true }) name?: string | null;
  @Str() sortBy = 'modified';
  @Int() sortDirection = -1;
}

export class ProfileSearchValuesResponse {
  @ListOf(str()) names!: string[];
}

export class ProfileUpdate {
  @Str() browserid = '';
  @Str({ min: 1, max: 1000 }) name!: string;
  @Str({ max: 5000, nullable: true }) description: string | null = '';
  @ListOf(str({ min: 1, max: 80 }), { nullable: true }) tags: string[] | null = [];
}

export class SuccessResponseStorageQuota {
  @Bool() success!: boolean;
  @Bool() storageQuotaReached!: boolean;
}
