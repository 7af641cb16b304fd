import { DomainError, failure, invalid, notFound } from '../common/errors/domain-error.js';

/** The org has no item of this id, or none of the route's type. Crawls and uploads share the contract's words. */
export class ItemNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly detail: string;
  constructor(itemId: string) {
    super(`no item ${itemId}`);
    this.detail = `Crawl not found: ${itemId}`;
  }
}

/** There is no such crawl; the contract's answer does not name the id. */
export class CrawlNotFound extends notFound('crawl_not_found') {}

/** The caller may delete only items that they own. */
export class NotAllowed extends failure('forbidden', 'not_allowed') {}

/** The item has no files to download, or is in no state to show them. */
export class NoCrawlResources extends invalid('no_crawl_resources') {}
