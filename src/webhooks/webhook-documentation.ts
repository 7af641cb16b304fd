import type { WebhookBody } from '../common/openapi/document.js';
import { CollectionDeletedBody } from './dto/collection-deleted-body.dto.js';
import { CollectionItemAddedBody } from './dto/collection-item-added-body.dto.js';
import { CollectionItemRemovedBody } from './dto/collection-item-removed-body.dto.js';
import { CrawlDeletedBody } from './dto/crawl-deleted-body.dto.js';
import { CrawlFinishedBody } from './dto/crawl-finished-body.dto.js';
import { CrawlReviewedBody } from './dto/crawl-reviewed-body.dto.js';
import { CrawlStartedBody } from './dto/crawl-started-body.dto.js';
import { QaAnalysisFinishedBody } from './dto/qa-analysis-finished-body.dto.js';
import { QaAnalysisStartedBody } from './dto/qa-analysis-started-body.dto.js';
import { UploadDeletedBody } from './dto/upload-deleted-body.dto.js';
import { UploadFinishedBody } from './dto/upload-finished-body.dto.js';

/** The 11 events as the OpenAPI document lists them under `webhooks`. */
export const WEBHOOK_DOCUMENTATION: readonly WebhookBody[] = [
  { event: 'crawlStarted', body: CrawlStartedBody },
  { event: 'crawlFinished', body: CrawlFinishedBody },
  { event: 'crawlDeleted', body: CrawlDeletedBody },
  { event: 'qaAnalysisStarted', body: QaAnalysisStartedBody },
  { event: 'qaAnalysisFinished', body: QaAnalysisFinishedBody },
  { event: 'crawlReviewed', body: CrawlReviewedBody },
  { event: 'uploadFinished', body: UploadFinishedBody },
  { event: 'uploadDeleted', body: UploadDeletedBody },
  { event: 'addedToCollection', body: CollectionItemAddedBody },
  { event: 'removedFromCollection', body: CollectionItemRemovedBody },
  { event: 'collectionDeleted', body: CollectionDeletedBody },
];
