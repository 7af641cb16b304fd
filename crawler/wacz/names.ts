import { compactTimestamp } from '../base/time.js';

/**
 * File name of a WACZ from its template (spec crawling §14.1), first occurrence of each placeholder. A local job is one
 * instance, so its host name ends in `-0`.
 */
export function waczName(template: string, jobId: string, openedAt: string): string {
  const host = `crawl-${jobId}-0`;
  const name = template
    .replace('@ts', compactTimestamp(openedAt))
    .replace('@hostname', host)
    .replace('@hostsuffix', host.slice(-14))
    .replace('@id', jobId);
  const safe = name.replace(/[^\w.@-]+/g, '-').replace(/^[.-]+/, '');
  return safe.endsWith('.wacz') ? safe : `${safe}.wacz`;
}

/** The name, or the name with a number where a file of the job has it already. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const stem = name.slice(0, -'.wacz'.length);
  for (let n = 1; ; n++) {
    // The part between the last dash and the dot groups the log files of one instance; it stays last.
    const dash = stem.lastIndexOf('-');
    const next = dash > 0 ? `${stem.slice(0, dash)}-${n}${stem.slice(dash)}.wacz` : `${stem}-${n}.wacz`;
    if (!taken.has(next)) return next;
  }
}
