import type { FieldType } from '../../common/validation/field-type.js';
import { refuse } from '../../common/validation/issue.js';
import { int, parseString, str } from '../../common/validation/scalars.js';
import { filenameTemplateProblem } from '../rules/filename-template.js';
import { parseCron } from '../schedule/cron.js';

const valueError = (problem: string, value: unknown) =>
  refuse('value_error', `Value error, ${problem}`, value, { error: {} });

/** A cron schedule, or "" for none. Contract: crawling §12.1. */
export function cronSchedule(): FieldType<string> {
  return {
    parse: (value) => {
      const parsed = parseString(value);
      if (!parsed.ok || parsed.value === '' || parseCron(parsed.value)) return parsed;
      return valueError('invalid cron schedule', value);
    },
    schema: str().schema,
  };
}

/** Template of WACZ names. Contract: crawling §4.1. */
export function filenameTemplate(): FieldType<string> {
  return {
    parse: (value) => {
      const parsed = parseString(value);
      const problem = parsed.ok ? filenameTemplateProblem(parsed.value) : null;
      return problem ? valueError(`filename template ${problem}`, value) : parsed;
    },
    schema: str().schema,
  };
}

/**
 * A strict integer from 1 whose upper bound is a setting, checked by the use case; the document shows the bound that
 * the contract has.
 */
export function countUpToSetting(shownMax: number): FieldType<number> {
  const { parse } = int({ min: 1, strict: true });
  return { ...int({ min: 1, max: shownMax, strict: true }), parse };
}
