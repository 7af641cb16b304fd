import type { IntlShape } from 'react-intl';
import type { Seed } from '../editing/draft';
import { BEHAVIORS } from '../editing/draft';
import type { SayEditing } from '../editing/field-words';
import type { editingTexts } from '../editing/editing.texts';
import type { Say } from '../../../i18n/texts';
import type { revisionsTexts } from './revisions.texts';

interface Words {
  readonly editing: SayEditing;
  readonly own: Say<keyof typeof revisionsTexts.english>;
  readonly intl: IntlShape;
  /** Names of things by their id: profiles. */
  readonly nameOf: (id: string) => string | undefined;
}

const SECONDS = ['pageLoadTimeout', 'behaviorTimeout', 'postLoadDelay', 'pageExtraDelay'];

/** A value of a field as lines that people read. */
export function linesOf(field: string, value: unknown, words: Words): readonly string[] {
  const { editing, own, intl, nameOf } = words;
  if (field === 'seeds') return (value as readonly Seed[]).map(seedLine);
  if (Array.isArray(value)) return value.length > 0 ? value.map(String) : [own('none')];
  if (value === null || value === undefined || value === '') return [own('none')];
  if (typeof value === 'boolean') return [own(value ? 'yes' : 'no')];
  if (field === 'scopeType') return [editing(`scope_${String(value)}` as keyof typeof editingTexts.english)];
  if (field === 'behaviors')
    return String(value)
      .split(',')
      .map((name) => ((BEHAVIORS as readonly string[]).includes(name) ? editing(name as 'autoscroll') : name));
  if (field === 'profileid') return [nameOf(String(value)) ?? String(value)];
  if (typeof value !== 'number') return [typeof value === 'string' ? value : JSON.stringify(value)];
  if (['limit', 'crawlTimeout', 'maxCrawlSize'].includes(field) && value === 0) return [editing('noLimit')];
  if (field === 'depth' && value < 0) return [editing('noLimit')];
  if (field === 'crawlTimeout') return [`${intl.formatNumber(value / 60)} ${editing('min')}`];
  if (field === 'maxCrawlSize') return [`${intl.formatNumber(value / 1e9, { maximumFractionDigits: 3 })} GB`];
  if (SECONDS.includes(field)) return [`${intl.formatNumber(value)} ${editing('sec')}`];
  return [intl.formatNumber(value)];
}

/** An address with the settings of its own, if it has some. */
function seedLine({ url, ...own }: Seed): string {
  const said = Object.entries(own).filter(([, value]) => value != null);
  return said.length > 0
    ? `${url} (${said.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')})`
    : url;
}
