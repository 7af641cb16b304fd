import { literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';
import { WebhookBody, webhookEvent } from './webhook-event.js';

export class QaAnalysisStartedBody extends WebhookBody {
  @Field(str()) itemId!: string;
  @Field(literal('qaAnalysisStarted'), { default: 'qaAnalysisStarted' }) event!: 'qaAnalysisStarted';
  @Field(str()) qaRunId!: string;
}

export const qaAnalysisStarted = webhookEvent({
  name: 'qaAnalysisStarted',
  body: QaAnalysisStartedBody,
  facts: { 'qa.started': ({ crawlId, qaRunId }) => [() => ({ itemId: crawlId, qaRunId })] },
});
