import { Str, OneOf, ListOf } from '../../common/validation/fields.js';
import { CrawlFileOut } from '../../items/dto/items.dto.js';
import { EXAMPLE, exampleFile } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class QaAnalysisFinishedBody extends WebhookBody {
  @Str() itemId!: string;
  @ListOf(() => CrawlFileOut) resources!: CrawlFileOut[];
  @Str() state!: string;
  @OneOf(['qaAnalysisFinished']) event = 'qaAnalysisFinished' as const;
  @Str() qaRunId!: string;
}

export const qaAnalysisFinished = webhookEvent({
  name: 'qaAnalysisFinished',
  body: QaAnalysisFinishedBody,
  example: {
    itemId: EXAMPLE.itemId,
    qaRunId: EXAMPLE.qaRunId,
    resources: [exampleFile('20260102040506-example.wacz')],
    state: 'complete',
  },
  facts: {
    'qa.finished': ({ crawlId, qaRunId, state }) => [
      (org, bodies) => bodies.finishedQaRun(org, crawlId, qaRunId, state),
    ],
  },
});
