import type { Schemas } from '../../../api/client';
import { GB, type Draft, type Seed } from './draft';
import { addressesOf } from './addresses';

export type Body = Schemas['CrawlConfigIn'];
export type Patch = Partial<Omit<Body, 'config'>> & { config?: Partial<Body['config']> };

const numberOr = <T>(value: number | '', none: T): number | T => (value === '' ? none : value);

/** The start addresses, each with the settings of its own. */
export const seedsOf = (draft: Draft): Seed[] =>
  draft.source === 'file' ? [] : addressesOf(draft.addresses).map((url) => draft.own[url] ?? { url });

/** The draft as the API takes it, with every field. */
export function bodyOf(draft: Draft): Body {
  const isFile = draft.source === 'file';
  return {
    name: draft.name.trim(),
    description: draft.description,
    tags: draft.tags,
    autoAddCollections: draft.autoAddCollections,
    dedupeCollId: draft.dedupeCollId,
    schedule: draft.schedule,
    profileid: draft.profileid,
    proxyId: draft.proxyId || null,
    crawlerChannel: draft.crawlerChannel,
    browserWindows: draft.browserWindows,
    crawlTimeout: Math.round(numberOr(draft.crawlTimeoutMinutes, 0) * 60),
    maxCrawlSize: Math.round(numberOr(draft.maxCrawlSizeGB, 0) * GB),
    crawlFilenameTemplate: draft.crawlFilenameTemplate || null,
    shareable: draft.shareable,
    config: {
      seeds: seedsOf(draft),
      seedFileId: isFile ? draft.seedFileId || null : null,
      scopeType: isFile ? 'page' : draft.scopeType,
      include: draft.scopeType === 'custom' && !isFile ? draft.include : null,
      exclude: draft.exclude,
      depth: numberOr(draft.depth, -1),
      extraHops: numberOr(draft.extraHops, 0),
      useSitemap: draft.useSitemap,
      useRobots: draft.useRobots,
      failOnFailedSeed: draft.failOnFailedSeed,
      failOnContentCheck: draft.failOnContentCheck,
      selectLinks: draft.selectLinks,
      clickSelector: draft.clickSelector,
      limit: numberOr(draft.limit, 0),
      pageLoadTimeout: numberOr(draft.pageLoadTimeout, null),
      behaviorTimeout: numberOr(draft.behaviorTimeout, null),
      postLoadDelay: numberOr(draft.postLoadDelay, 0),
      pageExtraDelay: numberOr(draft.pageExtraDelay, 0),
      behaviors: draft.behaviors.join(','),
      customBehaviors: draft.customBehaviors,
      alwaysAddBehaviorLinks: draft.alwaysAddBehaviorLinks,
      blockAds: draft.blockAds,
      saveStorage: draft.saveStorage,
      dedupePagesMinDepth: numberOr(draft.dedupePagesMinDepth, null),
      lang: draft.lang || null,
      userAgent: draft.userAgent || null,
    },
  };
}

const SCOPE_KEYS = ['seeds', 'scopeType', 'include', 'depth', 'extraHops'] as const;

const differing = (before: object, after: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify((before as Record<string, unknown>)[key]),
    ),
  );

/**
 * What has to be sent to make one body of another: changed fields alone. Where each address carried the settings that
 * all share, a change of one sends the addresses and all of these.
 */
export function changesOf(before: Body, after: Body, isHoisted = false): Patch {
  const { config: _, ...fields } = differing(before, after) as Patch;
  const config = differing(before.config, after.config) as Partial<Body['config']>;
  const isScope = SCOPE_KEYS.some((key) => key in config);
  if (isHoisted && isScope && !after.config.seedFileId)
    Object.assign(config, Object.fromEntries(SCOPE_KEYS.map((key) => [key, after.config[key]])));
  // The API refuses a file beside a list; a list alone takes the file's place.
  if (after.config.seedFileId) delete config.seeds;
  else delete config.seedFileId;
  return Object.keys(config).length > 0 ? { ...fields, config } : fields;
}

export interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields that a patch changes, each with its value in the body that is changed. */
export function differencesOf({ config = {}, ...fields }: Patch, before: Body): Difference[] {
  const { config: wasConfig, ...was } = before;
  const pairs = (now: object, then: object): Difference[] =>
    Object.entries(now).map(([field, after]) => ({
      field,
      before: (then as Record<string, unknown>)[field],
      after: after as unknown,
    }));
  return [...pairs(config, wasConfig), ...pairs(fields, was)];
}
