import ISO6391 from 'iso-639-1';
import { syntaxError } from '../../../formats/pattern/pattern.js';
import type { StoredCrawlConfig } from '../../items/data/crawl-config.schema.js';
import { InvalidCustomBehavior, InvalidLinkSelector } from '../workflows.errors.js';
import { parseCustomBehavior } from './custom-behavior.js';
import { areSelectLinks } from './select-links.js';
import { InvalidLang } from '../../orgs/orgs.errors.js';
import { InvalidRegex } from '../../crawls/crawls.errors.js';

/** Whether a pattern compiles. Patterns never run here; only the crawler runs them, within bounds. */
export const isRegex = (pattern: string): boolean => syntaxError(pattern) === null;

export const asList = (value: string | string[] | null | undefined): string[] =>
  value === null || value === undefined || value === '' ? [] : Array.isArray(value) ? value : [value];

type Checked = Partial<Pick<StoredCrawlConfig, 'exclude' | 'selectLinks' | 'lang' | 'customBehaviors'>>;

/** @throws InvalidRegex */
export function checkExclude({ exclude }: Checked): void {
  if (!asList(exclude).every(isRegex)) throw new InvalidRegex();
}

/** Checks the link rules. They may be absent, but not an empty list. @throws InvalidLinkSelector */
export function checkSelectLinks({ selectLinks }: Checked): void {
  if (selectLinks && !areSelectLinks(selectLinks)) throw new InvalidLinkSelector();
}

/** Checks that the language is a lower-case ISO 639-1 code, or none. @throws InvalidLang */
export function checkLang({ lang }: Checked): void {
  if (lang && !ISO6391.validate(lang)) throw new InvalidLang();
}

/** @throws InvalidCustomBehavior */
export function checkCustomBehaviors({ customBehaviors }: Checked): void {
  if (!(customBehaviors ?? []).every((address) => parseCustomBehavior(address) !== null))
    throw new InvalidCustomBehavior();
}
