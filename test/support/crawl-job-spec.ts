import { readEnv, crawlerSettings } from '../../src/config/load-config.js';
import type { CrawlJobSpec } from '../../src/drivers/crawl-driver.types.js';

/** What crawlers are told where nobody says otherwise. */
export const CRAWLER = crawlerSettings(readEnv({}));

let made = 0;

/** A crawl job of one seed with everything set that a driver needs; each call has ids of its own. */
export function aCrawlJobSpec(changes: Partial<CrawlJobSpec> = {}): CrawlJobSpec {
  made += 1;
  const jobId = changes.jobId ?? `manual-20201121054215-${String(made).padStart(8, '0')}-abc`;
  const oid = changes.oid ?? '0f7ac5a2-35f0-4f3b-8a5b-0f0f3f6f8e11';
  return {
    jobId,
    crawlId: jobId,
    kind: 'crawl',
    oid,
    cid: '5b6b6a0e-2f5e-4a26-9d0f-5f6d7a8b9c0d',
    userId: '7d7f3c4e-8a1b-4c2d-9e3f-1a2b3c4d5e6f',
    image: 'local/crawler:1.14.1',
    imagePullPolicy: 'IfNotPresent',
    config: { seeds: [{ url: 'https://site.example/' }], scopeType: 'prefix' },
    browserWindows: 2,
    windowsPerInstance: 2,
    singlePage: false,
    storage: { ref: { name: 'default', custom: false }, keyPrefix: `${oid}/` },
    storageFilename: '@ts-@hostsuffix.wacz',
    warcPrefix: 'my-org-site-example',
    ...changes,
  };
}
