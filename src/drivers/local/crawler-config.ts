import { browserMemoryBytes, type LocalSettings } from './local-settings.js';
import type { CrawlerConfig, CrawlerConfigBase, WorkflowConfig, QaSource } from '../../../crawler/protocol.js';
import { pageLimit } from '../../../formats/page-limit.js';
import type { CrawlJobSpec } from '../crawl-driver.types.js';

/**
 * The config file of one run's child. Profile and seed file are placed beside it beforehand.
 *
 * @param child the proxy's URL as the child reaches it, and whether somebody answers the child's questions for originals
 */
export function crawlerConfig(
  spec: CrawlJobSpec,
  dir: string,
  settings: LocalSettings,
  { proxyUrl, asksOriginals }: { proxyUrl?: string | undefined; asksOriginals: boolean },
): CrawlerConfig {
  const { seedFile: _seedFile, ...config } = spec.config;
  const base: CrawlerConfigBase & {
    config: WorkflowConfig;
    windows: number;
    storageFilename: string;
    warcPrefix: string;
    rolloverBytes: number;
  } = {
    jobId: spec.jobId,
    dir,
    ...(settings.chromiumPath ? { chromiumPath: settings.chromiumPath } : {}),
    allowPrivate: settings.allowPrivate,
    allowAddresses: [...settings.allowAddresses],
    ...(proxyUrl === undefined ? {} : { proxy: { url: proxyUrl } }),
    hasProfile: spec.kind === 'crawl' && spec.profile !== undefined,
    memoryLimitBytes: browserMemoryBytes(spec.browserWindows),
    config: { ...config, limit: pageLimit(Number(config.limit ?? 0), settings.crawler.maxPages) },
    windows: spec.browserWindows,
    storageFilename: spec.storageFilename,
    warcPrefix: spec.warcPrefix,
    rolloverBytes: settings.waczRolloverBytes,
    ...(settings.signs ? { asksSignatures: true } : {}),
  };
  if (spec.kind === 'qa') {
    return { ...base, mode: 'qa', sources: qaSources(spec) };
  }
  return {
    ...base,
    mode: 'crawl',
    hasSeedFile: spec.seedFileUrl !== undefined,
    saveProfile: spec.profile?.save ?? false,
    sessionSeconds: settings.crawler.sessionSeconds,
    diskUsePercent: settings.crawler.diskUsePercent,
    rateLimitThreshold: settings.crawler.rateLimitThreshold,
    requestWaitSeconds: settings.crawler.requestWaitSeconds,
    ...(asksOriginals ? { asksOriginals } : {}),
  };
}

/** The source files of a QA run, with their present URLs. */
export function qaSources({ qaSource }: CrawlJobSpec): QaSource[] {
  return (qaSource?.resources ?? []).map(({ name, path, size, fromDependency, guarded }) => ({
    name,
    url: path,
    sizeBytes: size,
    fromDependency,
    ...(guarded ? { guarded } : {}),
  }));
}
