import { enumOf, list, model, nullable, oneOf } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { CollectionDeletedBody } from './collection-deleted-body.dto.js';
import { CollectionItemAddedBody } from './collection-item-added-body.dto.js';
import { CollectionItemRemovedBody } from './collection-item-removed-body.dto.js';
import { CrawlDeletedBody } from './crawl-deleted-body.dto.js';
import { CrawlFinishedBody } from './crawl-finished-body.dto.js';
import { CrawlReviewedBody } from './crawl-reviewed-body.dto.js';
import { CrawlStartedBody } from './crawl-started-body.dto.js';
import { QaAnalysisFinishedBody } from './qa-analysis-finished-body.dto.js';
import { QaAnalysisStartedBody } from './qa-analysis-started-body.dto.js';
import { UploadDeletedBody } from './upload-deleted-body.dto.js';
import { UploadFinishedBody } from './upload-finished-body.dto.js';
import { WebhookDeliveryTry } from './webhook-delivery-try.dto.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './webhook-event-type.js';
import { Field } from '../../common/validation/model.js';

export class WebhookNotification {
  @Field(nullable(oneOf(uuid(), str()))) id!: string | null;
  @Field(enumOf('WebhookEventType', WEBHOOK_EVENT_TYPES)) event!: WebhookEventType;
  @Field(uuid()) oid!: string;
  @Field(
    oneOf(
      model(() => CrawlStartedBody),
      model(() => CrawlFinishedBody),
      model(() => CrawlDeletedBody),
      model(() => QaAnalysisStartedBody),
      model(() => QaAnalysisFinishedBody),
      model(() => CrawlReviewedBody),
      model(() => UploadFinishedBody),
      model(() => UploadDeletedBody),
      model(() => CollectionItemAddedBody),
      model(() => CollectionItemRemovedBody),
      model(() => CollectionDeletedBody),
    ),
  )
  body!:
    | CrawlStartedBody
    | CrawlFinishedBody
    | CrawlDeletedBody
    | QaAnalysisStartedBody
    | QaAnalysisFinishedBody
    | CrawlReviewedBody
    | UploadFinishedBody
    | UploadDeletedBody
    | CollectionItemAddedBody
    | CollectionItemRemovedBody
    | CollectionDeletedBody;
  @Field(bool(), { default: false }) success!: boolean;
  @Field(int(), { default: 0 }) attempts!: number;
  @Field(dateTime()) created!: string;
  @Field(nullable(dateTime()), { default: null }) lastAttempted!: string | null;
  /** The latest tries, oldest first; addition to the contract. */
  @Field(list(model(() => WebhookDeliveryTry)), { default: [] }) tries!: WebhookDeliveryTry[];
}
