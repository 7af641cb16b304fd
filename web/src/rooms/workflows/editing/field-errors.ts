import { describeCode } from '../../../api/codes.texts';
import { ApiProblem } from '../../../api/problem';
import { sayNow } from '../../../i18n/texts';
import { notifyProblem, sentenceOf } from '../../../ui/problems';
import type { Draft } from './draft';
import { editingTexts } from './editing.texts';

type Field = keyof Draft;
type Word = keyof typeof editingTexts.english;

/** At which field a refusal of the API is shown. */
const FIELD_OF_CODE: Readonly<Record<string, Field>> = {
  invalid_regex: 'exclude',
  invalid_link_selector: 'selectLinks',
  invalid_lang: 'lang',
  invalid_custom_behavior: 'customBehaviors',
  custom_behavior_not_found: 'customBehaviors',
  custom_behavior_branch_not_found: 'customBehaviors',
  custom_behavior_timeout: 'customBehaviors',
  git_not_installed: 'customBehaviors',
  use_one_of_seeds_or_seedfile: 'addresses',
  file_not_found: 'seedFileId',
  proxy_not_found: 'proxyId',
  profile_not_found: 'profileid',
  crawler_not_found: 'crawlerChannel',
  fail_on_content_check_requires_profile: 'failOnContentCheck',
};
/** Fields of the API that the editor calls otherwise. */
const FIELD_OF_API: Readonly<Record<string, Field>> = {
  seeds: 'addresses',
  crawlTimeout: 'crawlTimeoutMinutes',
  maxCrawlSize: 'maxCrawlSizeGB',
  scale: 'browserWindows',
};
const CODES: readonly Word[] = [
  'code_custom_behavior_not_found',
  'code_custom_behavior_branch_not_found',
  'code_custom_behavior_timeout',
  'code_git_not_installed',
  'code_file_not_found',
  'code_proxy_not_found',
  'code_profile_not_found',
  'code_crawler_not_found',
  'code_fail_on_content_check_requires_profile',
  'code_workflow_changed_meanwhile',
  'code_crawl_config_not_found',
];

/** A sentence for a refusal, in the words of the editor where it has some. */
export function sentenceOfEditing(error: unknown): string {
  const word = error instanceof ApiProblem ? CODES.find((code) => code === `code_${error.code}`) : undefined;
  return word ? sayNow(editingTexts, word) : sentenceOf(error);
}

/** Tells that a workflow is stored and why it does not run. @param why the API's refusal or its code */
export function notifyNotStarted(why: unknown): void {
  const sentence = typeof why === 'string' ? (describeCode(why) ?? why) : sentenceOfEditing(why);
  notifyProblem(sayNow(editingTexts, 'notStarted', { why: sentence }));
}

/** What is wrong with which field, of a refusal by the API; none when it is about no field. */
export function fieldErrors(error: unknown, draft: Draft): Partial<Record<Field, string>> {
  if (!(error instanceof ApiProblem)) return {};
  const field = FIELD_OF_CODE[error.code];
  if (field) return { [field]: sentenceOfEditing(error) };
  const found: Partial<Record<Field, string>> = {};
  for (const [path, text] of Object.entries(error.fields)) {
    const [first = '', second = '', third] = path.split('.');
    const name = first === 'config' ? second : first;
    const at = FIELD_OF_API[name] ?? (name in draft ? (name as Field) : null);
    const line = name === 'seeds' && third ? sayNow(editingTexts, 'inLine', { line: Number(third) + 1, text }) : text;
    if (at) found[at] ??= line;
  }
  return found;
}
