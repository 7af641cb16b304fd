import { nullable } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { httpUrl } from '../../common/validation/formats.js';
import type { FieldType } from '../../common/validation/field-type.js';
import { Field } from '../../common/validation/model.js';

/** An http or https URL; the contract declares it as plain text. */
const url: FieldType<string> = { parse: httpUrl().parse, schema: str().schema };

export class OrgWebhookUrls {
  @Field(nullable(url), { optional: true }) crawlStarted?: string | null;
  @Field(nullable(url), { optional: true }) crawlFinished?: string | null;
  @Field(nullable(url), { optional: true }) crawlDeleted?: string | null;
  @Field(nullable(url), { optional: true }) qaAnalysisStarted?: string | null;
  @Field(nullable(url), { optional: true }) qaAnalysisFinished?: string | null;
  @Field(nullable(url), { optional: true }) crawlReviewed?: string | null;
  @Field(nullable(url), { optional: true }) uploadFinished?: string | null;
  @Field(nullable(url), { optional: true }) uploadDeleted?: string | null;
  @Field(nullable(url), { optional: true }) addedToCollection?: string | null;
  @Field(nullable(url), { optional: true }) removedFromCollection?: string | null;
  @Field(nullable(url), { optional: true }) collectionDeleted?: string | null;
}
