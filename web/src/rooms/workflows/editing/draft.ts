import type { Schemas } from '../../../api/client';

export type Workflow = Schemas['CrawlConfigOut'];
export type Seed = Schemas['Seed'];
export type ScopeType = Schemas['ScopeType'];
export type Defaults = Schemas['CrawlConfigDefaults'];
type Config = Schemas['RawCrawlConfig-Output'];

/** What the editor holds. Numbers that are not given are `''`, as number fields have it. */
export interface Draft {
  name: string;
  description: string;
  tags: string[];
  autoAddCollections: string[];
  dedupeCollId: string;
  /** From which depth on pages that have not changed are skipped; '' for none. */
  dedupePagesMinDepth: number | '';
  source: 'list' | 'file';
  /** One address a line. */
  addresses: string;
  seedFileId: string;
  /** Settings of single addresses that differ from the workflow's. */
  own: Readonly<Record<string, Seed>>;
  scopeType: ScopeType;
  include: string[];
  exclude: string[];
  /** How many links away from the first address; '' for any number. */
  depth: number | '';
  extraHops: number | '';
  useSitemap: boolean;
  useRobots: boolean;
  failOnFailedSeed: boolean;
  selectLinks: string[];
  clickSelector: string;
  limit: number | '';
  crawlTimeoutMinutes: number | '';
  maxCrawlSizeGB: number | '';
  pageLoadTimeout: number | '';
  behaviorTimeout: number | '';
  postLoadDelay: number | '';
  pageExtraDelay: number | '';
  behaviors: string[];
  customBehaviors: string[];
  alwaysAddBehaviorLinks: boolean;
  blockAds: boolean;
  saveStorage: boolean;
  failOnContentCheck: boolean;
  profileid: string;
  lang: string;
  userAgent: string;
  proxyId: string;
  crawlerChannel: string;
  browserWindows: number;
  schedule: string;
  crawlFilenameTemplate: string;
  shareable: boolean;
}

export const BEHAVIORS = ['autoscroll', 'autoplay', 'autofetch', 'siteSpecific', 'autoclick'] as const;
export const DEFAULT_LINKS = 'a[href]->href';
export const GB = 1_000_000_000;
const MINUTE = 60;

export const listOf = (value: string | readonly string[] | null | undefined): string[] =>
  value == null || value === '' ? [] : typeof value === 'string' ? [value] : [...value];
const given = (value: number | null | undefined): number | '' => (value == null || value <= 0 ? '' : value);
const atLeastZero = (value: number | null | undefined): number | '' => (value == null || value < 0 ? '' : value);

/** A new workflow, with what the org's owners chose for all of them. */
export function newDraft(defaults: Defaults | null | undefined, windows: number): Draft {
  const own = defaults ?? {};
  return {
    name: '',
    description: '',
    tags: [],
    autoAddCollections: [],
    dedupeCollId: own.dedupeCollId ?? '',
    dedupePagesMinDepth: '',
    source: 'list',
    addresses: '',
    seedFileId: '',
    own: {},
    scopeType: 'prefix',
    include: [],
    exclude: listOf(own.exclude),
    depth: '',
    extraHops: '',
    useSitemap: true,
    useRobots: false,
    failOnFailedSeed: false,
    selectLinks: [DEFAULT_LINKS],
    clickSelector: 'a',
    limit: '',
    crawlTimeoutMinutes: minutesOf(own.crawlTimeout),
    maxCrawlSizeGB: gigabytesOf(own.maxCrawlSize),
    pageLoadTimeout: given(own.pageLoadTimeout),
    behaviorTimeout: given(own.behaviorTimeout),
    postLoadDelay: given(own.postLoadDelay),
    pageExtraDelay: given(own.pageExtraDelay),
    behaviors: ['autoscroll', 'autoplay', 'autofetch', 'siteSpecific'],
    customBehaviors: [...(own.customBehaviors ?? [])],
    alwaysAddBehaviorLinks: false,
    blockAds: own.blockAds ?? false,
    saveStorage: false,
    failOnContentCheck: false,
    profileid: own.profileid ?? '',
    lang: own.lang ?? '',
    userAgent: own.userAgent ?? '',
    proxyId: own.proxyId ?? '',
    crawlerChannel: own.crawlerChannel ?? 'default',
    browserWindows: windows,
    schedule: '',
    crawlFilenameTemplate: '',
    shareable: false,
  };
}

const minutesOf = (seconds: number | null | undefined): number | '' => given((seconds ?? 0) / MINUTE);
const gigabytesOf = (bytes: number | null | undefined): number | '' => given((bytes ?? 0) / GB);

/** What of the stored settings may also stand at each address, and then counts instead. */
const HOISTED = ['scopeType', 'include', 'depth', 'extraHops'] as const;

export interface Loaded {
  readonly draft: Draft;
  /** Whether settings that all addresses share stood at each of them. They are saved as the workflow's. */
  readonly isHoisted: boolean;
}

/** A stored workflow as the editor holds it. */
export function draftOf(workflow: Workflow, seeds: readonly Seed[]): Loaded {
  const { config: stored, isHoisted, own } = hoist(workflow.config ?? ({} as Config), seeds);
  const draft: Draft = {
    ...newDraft(null, workflow.browserWindows ?? 2),
    name: workflow.name ?? '',
    description: workflow.description ?? '',
    tags: [...(workflow.tags ?? [])],
    autoAddCollections: [...(workflow.autoAddCollections ?? [])],
    dedupeCollId: workflow.dedupeCollId ?? '',
    crawlTimeoutMinutes: minutesOf(workflow.crawlTimeout),
    maxCrawlSizeGB: gigabytesOf(workflow.maxCrawlSize),
    profileid: workflow.profileid ?? '',
    proxyId: workflow.proxyId ?? '',
    crawlerChannel: workflow.crawlerChannel ?? 'default',
    schedule: workflow.schedule ?? '',
    crawlFilenameTemplate: workflow.crawlFilenameTemplate ?? '',
    shareable: workflow.shareable ?? false,
    ...draftOfConfig(stored),
    addresses: seeds.map(({ url }) => url).join('\n'),
    own,
  };
  return { draft, isHoisted };
}

function draftOfConfig(config: Config) {
  return {
    source: config.seedFileId ? ('file' as const) : ('list' as const),
    seedFileId: config.seedFileId ?? '',
    scopeType: config.scopeType ?? (listOf(config.include).length > 0 ? ('custom' as const) : ('prefix' as const)),
    include: listOf(config.include),
    exclude: listOf(config.exclude),
    depth: atLeastZero(config.depth),
    extraHops: given(config.extraHops),
    useSitemap: config.useSitemap ?? false,
    useRobots: config.useRobots ?? false,
    failOnFailedSeed: config.failOnFailedSeed ?? false,
    selectLinks: [...(config.selectLinks ?? [DEFAULT_LINKS])],
    clickSelector: config.clickSelector ?? 'a',
    limit: given(config.limit),
    pageLoadTimeout: given(config.pageLoadTimeout),
    behaviorTimeout: given(config.behaviorTimeout),
    postLoadDelay: given(config.postLoadDelay),
    pageExtraDelay: given(config.pageExtraDelay),
    behaviors: (config.behaviors ?? '').split(',').filter((name) => name !== ''),
    customBehaviors: [...(config.customBehaviors ?? [])],
    alwaysAddBehaviorLinks: config.alwaysAddBehaviorLinks ?? false,
    blockAds: config.blockAds ?? false,
    saveStorage: config.saveStorage ?? false,
    dedupePagesMinDepth: atLeastZero(config.dedupePagesMinDepth),
    failOnContentCheck: config.failOnContentCheck ?? false,
    lang: config.lang ?? '',
    userAgent: config.userAgent ?? '',
  };
}

/** Without the keys that say nothing. */
export const said = (seed: Seed): Seed =>
  Object.fromEntries(Object.entries(seed).filter(([, value]) => value != null && value !== '')) as unknown as Seed;

function hoist(config: Config, seeds: readonly Seed[]) {
  const [first] = seeds;
  const isShared = (key: (typeof HOISTED)[number]): boolean =>
    first?.[key] != null && seeds.every((seed) => JSON.stringify(seed[key]) === JSON.stringify(first[key]));
  const shared = HOISTED.filter(isShared);
  const common = Object.fromEntries(shared.map((key) => [key, first?.[key]]));
  const rest = seeds.map((seed) => said({ ...seed, ...Object.fromEntries(shared.map((key) => [key, null])) }));
  const own = Object.fromEntries(rest.filter((seed) => Object.keys(seed).length > 1).map((seed) => [seed.url, seed]));
  return { config: { ...config, ...common } as Config, isHoisted: shared.length > 0, own };
}

/** A name for a copy. */
export const asCopy = (draft: Draft, name: string): Draft => ({ ...draft, name });
