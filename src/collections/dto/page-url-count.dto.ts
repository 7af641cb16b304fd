import { Str, Int, ListOf } from '../../common/validation/fields.js';
import { PageIdTimestamp } from './page-id-timestamp.dto.js';

export class PageUrlCount {
  @Str() url!: string;
  @Int() count = 0;
  @ListOf(() => PageIdTimestamp) snapshots: PageIdTimestamp[] = [];
}
