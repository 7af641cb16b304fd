import { Int, Uuid, TimeText, Str, ListOf } from '../../common/validation/fields.js';

export class PageIdTimestamp {
  @Uuid() pageId!: string;
  @TimeText({ nullable: true }) ts: string | null = null;
  @Int() status = 200;
}

export class PageUrlCount {
  @Str() url!: string;
  @Int() count = 0;
  @ListOf(() => PageIdTimestamp) snapshots: PageIdTimestamp[] = [];
}

export class PageUrlCountResponse {
  @ListOf(() => PageUrlCount) items!: PageUrlCount[];
}
