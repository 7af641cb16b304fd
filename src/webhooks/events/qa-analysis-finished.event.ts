import { list, literal, model } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { CrawlFileOut } from '../../items/dto/crawl-file-out.dto.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class QaAnalysisFinishedBody extends WebhookBody {
  @Field(str()) itemId!: string;
  @Field(list(model(() => CrawlFileOut))) resources!: CrawlFileOut[];
  @Field(str()) state!: string;
  @Field(literal('qaAnalysisFinished'), { default: 'qaAnalysisFinished' }) event!: 'qaAnalysisFinished';
  @Field(str()) qaRunId!: string;
}

export const qaAnalysisFinished = webhookEvent({
  name: 'qaAnalysisFinished',
  body: QaAnalysisFinishedBody,
  facts: {
    'qa.finished': ({ crawlId, qaRunId, state }) => [
      (org, bodies) => bodies.finishedQaRun(org, crawlId, qaRunId, state),
    ],
  },
});
