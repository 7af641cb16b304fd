import { Int } from '../../common/validation/fields.js';

export class CrawlScale {
  @Int({ min: 1, max: 4, strict: true, nullable: true, optional: true, deprecated: true }) scale?: number | null;
  @Int({ min: 1, max: 8, strict: true, nullable: true, optional: true }) browserWindows?: number | null;
}
