import type { Say } from '../../../i18n/texts';
import type { editingTexts } from './editing.texts';
import type { Verdict } from './scope-rules';

type Word = keyof typeof editingTexts.english;
export type SayEditing = Say<Word>;

/** What the fields of the API are called in the editor, in the order of its parts. */
export const FIELD_WORDS: Readonly<Record<string, Word>> = {
  seeds: 'addresses',
  seedFileId: 'sourceFile',
  scopeType: 'scopeType',
  include: 'include',
  depth: 'depth',
  extraHops: 'extraHops',
  useSitemap: 'useSitemap',
  exclude: 'exclude',
  useRobots: 'useRobots',
  failOnFailedSeed: 'failOnFailedSeed',
  selectLinks: 'selectLinks',
  limit: 'limit',
  crawlTimeout: 'crawlTimeout',
  maxCrawlSize: 'maxCrawlSize',
  behaviors: 'behaviors',
  pageLoadTimeout: 'pageLoadTimeout',
  behaviorTimeout: 'behaviorTimeout',
  postLoadDelay: 'postLoadDelay',
  pageExtraDelay: 'pageExtraDelay',
  clickSelector: 'clickSelector',
  customBehaviors: 'customBehaviors',
  alwaysAddBehaviorLinks: 'alwaysAddBehaviorLinks',
  profileid: 'profile',
  lang: 'language',
  browserWindows: 'windows',
  blockAds: 'blockAds',
  userAgent: 'userAgent',
  proxyId: 'proxy',
  crawlerChannel: 'channel',
  failOnContentCheck: 'failOnContentCheck',
  saveStorage: 'saveStorage',
  schedule: 'schedule',
  name: 'name',
  description: 'description',
  tags: 'tags',
  autoAddCollections: 'collections',
  dedupeCollId: 'dedupe',
  dedupePagesMinDepth: 'skipFrom',
  crawlFilenameTemplate: 'filename',
  shareable: 'shareable',
};

/** The name of a field as people know it from the editor. */
export const wordOf = (say: SayEditing, field: string): string => {
  const word = FIELD_WORDS[field];
  return word ? say(word) : field;
};

/** The fields in the order of the editor, each with the words for it. */
export const orderOf = (field: string): number => {
  const at = Object.keys(FIELD_WORDS).indexOf(field);
  return at < 0 ? Infinity : at;
};

/** Why an address would be crawled or not. */
export const reasonOf = (say: SayEditing, { rule, by = '', scopeType }: Verdict): string =>
  say(`rule_${rule}`, { by, scope: scopeType ? say(`scope_${scopeType}`) : '' });
