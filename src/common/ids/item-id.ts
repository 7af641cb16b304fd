import { canonicalUuid } from './uuid.js';

const NAMED_ITEM = /^(?:upload|manual|sched|qa)-[a-z0-9-]{1,80}$/;

/** Canonical id of a crawl, upload or QA run, or null when it has none of the real shapes (crawling §1.4). */
export function canonicalItemId(text: string): string | null {
  return NAMED_ITEM.test(text) ? text : canonicalUuid(text);
}
