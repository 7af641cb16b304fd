import { canonicalUuid } from '../../common/ids/uuid.js';
import { parseDateTime } from '../../common/validation/date-time.js';
import type { CrawlerPage } from '../../drivers/crawl-driver.types.js';
import type { NewPage } from '../../pages/data/page.schema.js';
import { derivedPageId } from '../../common/ids/derived-id.js';
import { parseUrl } from '../../common/text/parse-url.js';

/** A page in its stored form. Contract: crawling §7.5. */
export function toPage(crawlId: string, page: CrawlerPage, now: Date): NewPage {
  const status = page.status ?? (page.loadState ? 200 : undefined);
  const mime = page.mime ?? 'text/html';
  const isHtml = mime.includes('html');
  return {
    // An id that is no UUID is derived from the crawler's id, so a page that is handed over again has the same id.
    _id: canonicalUuid(page.id) ?? derivedPageId(`${crawlId}:page:${page.id}`),
    crawl_id: crawlId,
    url: parseUrl(page.url)?.href ?? page.url,
    title: page.title,
    ts: parseDateTime(page.ts) ?? now,
    loadState: page.loadState,
    status,
    mime,
    filename: page.filename,
    depth: page.depth,
    favIconUrl: page.favIconUrl,
    isSeed: page.seed ?? false,
    isFile: page.loadState === 2 && (!isHtml || (!page.title && status === 200)),
    isError: page.loadState === 0,
  };
}
