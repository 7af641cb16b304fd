import { demand, shownAs, type Demand, type Kind } from '../../common/validation/kind.js';
import { int, str } from '../../common/validation/scalars.js';
import { filenameTemplateProblem } from '../rules/filename-template.js';
import { parseCron } from '../rules/cron.js';

/** A text that has to obey a rule of this room. @param problemOf returns what is wrong with a text, or null */
function ruledText(name: string, problemOf: (text: string) => string | null): Kind<string> {
  const text = str();
  const isRuled: Demand = demand(
    name,
    (value) => problemOf(value as string) === null,
    (value) => ({ type: 'value_error', msg: `Value error, ${problemOf(value as string)}`, ctx: { error: {} } }),
  );
  return { ...text, demands: [...text.demands, isRuled] };
}

/** A cron schedule, or "" for none. Contract: crawling §12.1. */
export const cronSchedule = (): Kind<string> =>
  ruledText('isCronSchedule', (text) => (text === '' || parseCron(text) ? null : 'invalid cron schedule'));

/** A template of WACZ names. Contract: crawling §4.1. */
export const filenameTemplate = (): Kind<string> =>
  ruledText('isFilenameTemplate', (text) => {
    const problem = filenameTemplateProblem(text);
    return problem && `filename template ${problem}`;
  });

/**
 * A strict integer from 1. Its upper bound is a setting, which the use case checks. The OpenAPI document shows the
 * contract's bound.
 */
export const countUpToSetting = (shownMax: number): Kind<number> =>
  shownAs(int({ min: 1, strict: true }), int({ min: 1, max: shownMax }));
