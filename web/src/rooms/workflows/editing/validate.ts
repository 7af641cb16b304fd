import type { FormErrors } from '@mantine/form';
import { sayNow } from '../../../i18n/texts';
import { addressesOf, strangeLines } from './addresses';
import { nextRuns } from './cron-plan';
import type { Draft } from './draft';
import { editingTexts } from './editing.texts';
import { regexProblem } from './patterns';

type Word = keyof typeof editingTexts.english;
const say = (key: Word, values?: Record<string, string | number>): string => sayNow(editingTexts, key, values);

/** How many lines that are no addresses are named. */
const NAMED = 3;

/** What is wrong with the first pattern that cannot be used. */
function patternProblem(patterns: readonly string[]): string | null {
  if (patterns.some((pattern) => pattern.trim() === '')) return say('emptyPattern');
  const bad = patterns.find((pattern) => regexProblem(pattern) !== null);
  return bad === undefined ? null : say('badPattern', { pattern: bad, reason: regexProblem(bad) ?? '' });
}

function addressProblem({ addresses }: Draft): string | null {
  const strange = strangeLines(addresses);
  if (strange.length > 0)
    return say('badAddresses', { count: strange.length, lines: strange.slice(0, NAMED).join(', ') });
  return addressesOf(addresses).length === 0 ? say('noAddresses') : null;
}

/** What keeps a draft from being saved, by field. The API judges the rest. */
export function validate(draft: Draft): FormErrors {
  const isList = draft.source === 'list';
  const found: Partial<Record<keyof Draft, string | null>> = {
    addresses: isList ? addressProblem(draft) : null,
    seedFileId: !isList && !draft.seedFileId ? say('noFile') : null,
    include: isList && draft.scopeType === 'custom' ? includeProblem(draft.include) : null,
    exclude: patternProblem(draft.exclude),
    selectLinks: draft.selectLinks.every((rule) => /^.+->\S+$/.test(rule.trim())) ? null : say('badLinks'),
    schedule: draft.schedule === '' || nextRuns(draft.schedule, 1) ? null : say('noCron'),
    customBehaviors: draft.customBehaviors.some((one) => one.trim() === '') ? say('emptyPattern') : null,
  };
  return Object.fromEntries(Object.entries(found).filter(([, text]) => text !== null));
}

const includeProblem = (include: readonly string[]): string | null =>
  include.length === 0 ? say('noInclude') : patternProblem(include);
