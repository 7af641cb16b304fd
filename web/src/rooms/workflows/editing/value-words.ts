import type { IntlShape } from 'react-intl';
import { BEHAVIORS, type Seed } from './draft';
import type { editingTexts } from './editing.texts';
import type { SayEditing } from './field-words';

interface Words {
  readonly say: SayEditing;
  readonly intl: IntlShape;
  /** Names of things by their id: profiles and collections. */
  readonly nameOf: (id: string) => string | undefined;
}

const SECONDS = ['pageLoadTimeout', 'behaviorTimeout', 'postLoadDelay', 'pageExtraDelay'];

/** A value of a field as lines that people read. */
export function linesOf(field: string, value: unknown, words: Words): readonly string[] {
  const { say, intl, nameOf } = words;
  if (field === 'seeds') return (value as readonly Seed[]).map(seedLine);
  if (Array.isArray(value))
    return value.length > 0 ? value.map((one) => nameOf(String(one)) ?? String(one)) : [say('noValue')];
  if (value === null || value === undefined || value === '') return [say('noValue')];
  if (typeof value === 'boolean') return [say(value ? 'yes' : 'no')];
  if (field === 'scopeType') return [say(`scope_${String(value)}` as keyof typeof editingTexts.english)];
  if (field === 'behaviors')
    return String(value)
      .split(',')
      .map((name) => ((BEHAVIORS as readonly string[]).includes(name) ? say(name as 'autoscroll') : name));
  if (field === 'profileid' || field === 'dedupeCollId') return [nameOf(String(value)) ?? String(value)];
  if (typeof value !== 'number') return [typeof value === 'string' ? value : JSON.stringify(value)];
  if (['limit', 'crawlTimeout', 'maxCrawlSize'].includes(field) && value === 0) return [say('noLimit')];
  if (field === 'depth' && value < 0) return [say('noLimit')];
  if (field === 'crawlTimeout') return [`${intl.formatNumber(value / 60)} ${say('min')}`];
  if (field === 'maxCrawlSize') return [`${intl.formatNumber(value / 1e9, { maximumFractionDigits: 3 })} GB`];
  if (SECONDS.includes(field)) return [`${intl.formatNumber(value)} ${say('sec')}`];
  return [intl.formatNumber(value)];
}

/** An address with the settings of its own, if it has some. */
function seedLine({ url, ...own }: Seed): string {
  const said = Object.entries(own).filter(([, value]) => value != null);
  return said.length > 0
    ? `${url} (${said.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')})`
    : url;
}
