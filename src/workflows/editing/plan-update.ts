import { isDeepStrictEqual } from 'node:util';
import { wasSent } from '../../common/validation/parse-model.js';
import type { StoredCrawlConfig } from '../../items/data/crawl-config.schema.js';
import type { Workflow } from '../data/workflow.schema.js';
import type { UpdateCrawlConfig } from '../dto/workflows.dto.js';

/** The differences between a PATCH and the stored workflow. */
export interface UpdatePlan {
  /** Settings that differ. They make a revision. */
  readonly settings: Partial<Workflow>;
  /** Metadata that differs. */
  readonly metadata: Partial<Workflow>;
  /**
   * Fields that are written only together with others: explicit nulls, and the collection that deduplication requires.
   */
  readonly companions: Partial<Workflow>;
}

/** What a PATCH asks for, after scale, seeds and single pages are worked out. */
export interface WantedUpdate {
  readonly input: UpdateCrawlConfig;
  /** Null when the config was not sent. */
  readonly config: StoredCrawlConfig | null;
  /** Null when the number is unchanged. */
  readonly browserWindows: number | null;
}

/** Returns the profile after the PATCH. A UUID sets it, "" removes it, null and absent leave it (seed §2). */
export function effectiveProfile(stored: Pick<Workflow, 'profileid'>, sent: string | null | undefined): string | null {
  return sent === '' ? null : (sent ?? stored.profileid ?? null);
}

const effectiveDedupe = (stored: Workflow, sent: string | null | undefined): string | null =>
  sent === '' ? null : (sent ?? stored.dedupeCollId ?? null);

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && new Set([...a, ...b]).size === a.length;

function planSettings(stored: Workflow, { input, config, browserWindows }: WantedUpdate): Partial<Workflow> {
  const settings: Partial<Workflow> = {};
  if (config && !isDeepStrictEqual(config, stored.config)) settings.config = config;
  const scalars = {
    crawlTimeout: input.crawlTimeout,
    maxCrawlSize: input.maxCrawlSize,
    crawlerChannel: input.crawlerChannel,
    crawlFilenameTemplate: input.crawlFilenameTemplate,
    shareable: input.shareable,
    browserWindows,
  };
  for (const [key, value] of Object.entries(scalars))
    if (value !== null && value !== undefined && value !== stored[key as keyof Workflow])
      Object.assign(settings, { [key]: value });
  if (typeof input.schedule === 'string' && input.schedule !== (stored.schedule ?? ''))
    settings.schedule = input.schedule;
  const profileid = effectiveProfile(stored, input.profileid);
  if (profileid !== (stored.profileid ?? null)) settings.profileid = profileid;
  const proxyId = wantedProxy(input, { profileid, isProfileNew: settings.profileid !== undefined });
  if (proxyId !== undefined && proxyId !== (stored.proxyId || null)) settings.proxyId = proxyId;
  return settings;
}

/**
 * Returns the workflow's own proxy after the PATCH. A new profile clears it, because the profile's proxy applies; a
 * sent proxy counts only without a profile.
 * @returns undefined when the proxy stays as it is
 */
function wantedProxy(
  input: UpdateCrawlConfig,
  { profileid, isProfileNew }: { profileid: string | null; isProfileNew: boolean },
): string | null | undefined {
  if (profileid) return isProfileNew ? null : undefined;
  return wasSent(input, 'proxyId') ? input.proxyId || null : undefined;
}

function planMetadata(stored: Workflow, { input }: WantedUpdate): Partial<Workflow> {
  const metadata: Partial<Workflow> = {};
  for (const field of ['name', 'description'] as const) {
    const value = input[field];
    if (value !== null && value !== undefined && value !== stored[field]) metadata[field] = value;
  }
  if (input.tags && !isDeepStrictEqual(input.tags, stored.tags ?? [])) metadata.tags = input.tags;
  const dedupeCollId = effectiveDedupe(stored, input.dedupeCollId);
  if (dedupeCollId !== (stored.dedupeCollId ?? null)) metadata.dedupeCollId = dedupeCollId;
  if (input.autoAddCollections) {
    const wanted = withForced(input.autoAddCollections, dedupeCollId);
    if (!isSameSet(wanted, stored.autoAddCollections ?? [])) metadata.autoAddCollections = wanted;
  }
  return metadata;
}

function withForced(ids: readonly string[], forced: string | null): string[] {
  return [...new Set(forced ? [...ids, forced] : ids)];
}

/**
 * Plans the explicit nulls of name and description, and the addition of the deduplicating collection to
 * `autoAddCollections`.
 */
function planCompanions(stored: Workflow, { input }: WantedUpdate): Partial<Workflow> {
  const companions: Partial<Workflow> = {};
  if (wasSent(input, 'name') && input.name === null) companions.name = null;
  if (wasSent(input, 'description') && input.description === null) companions.description = null;
  const dedupeCollId = effectiveDedupe(stored, input.dedupeCollId);
  const collections = stored.autoAddCollections ?? [];
  if (dedupeCollId && !input.autoAddCollections && !collections.includes(dedupeCollId))
    companions.autoAddCollections = withForced(collections, dedupeCollId);
  return companions;
}

/** Plans a PATCH. Contract: crawling §4.2. */
export function planUpdate(stored: Workflow, wanted: WantedUpdate): UpdatePlan {
  return {
    settings: planSettings(stored, wanted),
    metadata: planMetadata(stored, wanted),
    companions: planCompanions(stored, wanted),
  };
}
