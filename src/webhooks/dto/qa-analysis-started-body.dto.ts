import { literal } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class QaAnalysisStartedBody {
  @Field(str()) orgId!: string;
  @Field(str()) itemId!: string;
  @Field(literal('qaAnalysisStarted'), { default: 'qaAnalysisStarted' }) event!: 'qaAnalysisStarted';
  @Field(str()) qaRunId!: string;
}
