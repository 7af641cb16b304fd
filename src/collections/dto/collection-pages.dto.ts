import { Int, Uuid, TimeText, Str, ListOf } from '../../common/validation/fields.js';

export class PageIdTimestamp {
  /** Id of the page. */
  @Uuid() pageId!: string;
  @TimeText({ nullable: true }) ts: string | null = null;
  /** HTTP status of the capture. */
  @Int() status = 200;
}

export class PageUrlCount {
  @Str() url!: string;
  /** Number of captures. */
  @Int() count = 0;
  /** The captures of the address. */
  @ListOf(() => PageIdTimestamp) snapshots: PageIdTimestamp[] = [];
}

export class PageUrlCountResponse {
  @ListOf(() => PageUrlCount) items!: PageUrlCount[];
}
