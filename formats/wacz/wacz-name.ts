import { compactTimestamp } from '../cdx/cdxj.js';
import { instanceName } from '../redis-keys/run-keys.js';

/** Fills a WACZ name template, first occurrence of each placeholder (crawling §14.1). @param openedAt ISO time */
export function waczName(template: string, jobId: string, index: number, openedAt: string): string {
  const host = instanceName(jobId, index);
  const name = template
    .replace('@ts', compactTimestamp(openedAt))
    .replace('@hostname', host)
    .replace('@hostsuffix', host.slice(-14))
    .replace('@id', jobId);
  const safe = name.replace(/[^\w.@-]+/g, '-').replace(/^[.-]+/, '');
  return safe.endsWith('.wacz') ? safe : `${safe}.wacz`;
}
