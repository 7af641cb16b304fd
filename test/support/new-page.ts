import { newId } from '../../src/common/ids/uuid.js';
import type { NewPage } from '../../src/pages/data/page.schema.js';

/** So many seconds into the year. */
export const AT = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

/** The n-th page of an item; every tenth is a seed. */
export const aNewPage = (crawlId: string, n: number, more: Partial<NewPage> = {}): NewPage => ({
  _id: newId(),
  crawl_id: crawlId,
  url: `https://example.org/${String(n).padStart(4, '0')}`,
  title: `Page number ${n}`,
  ts: AT(n),
  status: 200,
  mime: 'text/html',
  isSeed: n % 10 === 0,
  isFile: false,
  isError: false,
  ...more,
});
