import { Str, OneOf } from '../../common/validation/fields.js';
import { EXAMPLE } from './example-values.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class QaAnalysisStartedBody extends WebhookBody {
  @Str() itemId!: string;
  @OneOf(['qaAnalysisStarted']) event = 'qaAnalysisStarted' as const;
  @Str() qaRunId!: string;
}

export const qaAnalysisStarted = webhookEvent({
  name: 'qaAnalysisStarted',
  body: QaAnalysisStartedBody,
  example: { itemId: EXAMPLE.itemId, qaRunId: EXAMPLE.qaRunId },
  facts: { 'qa.started': ({ crawlId, qaRunId }) => [() => ({ itemId: crawlId, qaRunId })] },
});
