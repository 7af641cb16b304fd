/**
 * Names that the API process and the crawler both have to know: of instances, of their keys in Redis and of their files.
 * Like protocol.ts, both sides import this file. Source: spec crawling §14.1, 14.2, 14.5.
 */

/** Host name of an instance, and its name in Redis. */
export const instanceName = (jobId: string, index: number): string => `crawl-${jobId}-${String(index)}`;

/** The index in an instance's name; null for another job's. */
export function indexOf(jobId: string, name: string): number | null {
  const prefix = `crawl-${jobId}-`;
  const index = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : NaN;
  return Number.isInteger(index) ? index : null;
}

/** Names in Redis of one job; those with `muniment` in them are ours alone. */
export function jobKeys(jobId: string) {
  return {
    status: `${jobId}:status`,
    size: `${jobId}:size`,
    done: `${jobId}:d`,
    seen: `${jobId}:s`,
    extraSeeds: `${jobId}:extraSeeds`,
    excluded: `${jobId}:excluded`,
    /** How many pages a quality check has: it has no queue whose sets would tell. */
    found: `${jobId}:muniment:found`,
    queue: `${jobId}:q`,
    /** Hash of pages in progress by URL; the lock of each is the name with `:<url>` behind it. */
    inProgress: `${jobId}:p`,
    failed: `${jobId}:f`,
    pages: `${jobId}:pages`,
    errors: `${jobId}:e`,
    behaviors: `${jobId}:b`,
    requiredCrawls: `${jobId}:reqCrawls`,
    profileUploaded: `${jobId}:profileUploaded`,
    failReason: `${jobId}:failReason`,
    rateLimited: `${jobId}:rateLimited`,
    stopping: `${jobId}:stopping`,
    stopOne: `${jobId}:stopone`,
    paused: `${jobId}:paused`,
    canceled: `${jobId}:canceled`,
    /** Pages finished, told or not; `done` follows it. */
    finished: `${jobId}:finished`,
    sitemapDone: `${jobId}:sitemapDone`,
    /** There while the queue of the job is whole: its seeds were queued, and Redis lost nothing since. */
    seeded: `${jobId}:seeded`,
    /** Pages that are to be tried again later, by the time, ms. */
    held: `${jobId}:held`,
    /** Which instance reads the sitemaps. */
    sitemapReader: `${jobId}:sitemapReader`,
    /** Scopes that redirected seeds brought, `{seedId, url}` each. */
    redirects: `${jobId}:redirects`,
  };
}

/** Names in Redis of one instance. */
export function instanceKeys(uid: string) {
  return {
    messages: `${uid}:msg`,
    /** Byte offsets into the instance's own files, up to which Redis has them. */
    offsets: `${uid}:offsets`,
  };
}

export type JobKeys = ReturnType<typeof jobKeys>;
export type InstanceKeys = JobKeys & ReturnType<typeof instanceKeys>;

/** File name of a WACZ from its template, first occurrence of each placeholder. @param openedAt ISO time */
export function waczName(template: string, jobId: string, index: number, openedAt: string): string {
  const host = instanceName(jobId, index);
  const name = template
    .replace('@ts', openedAt.replace(/\D/g, ''))
    .replace('@hostname', host)
    .replace('@hostsuffix', host.slice(-14))
    .replace('@id', jobId);
  const safe = name.replace(/[^\w.@-]+/g, '-').replace(/^[.-]+/, '');
  return safe.endsWith('.wacz') ? safe : `${safe}.wacz`;
}

/**
 * The text of an error without where files lie on this machine, for people who only use it: `'/data/work/x/a.json'`
 * becomes `'…/a.json'`. Addresses of the web stay as they are.
 */
export const withoutFilePaths = (text: string): string =>
  text
    .replaceAll('file://', '')
    .replace(/[^\s'"`<>()[\]]+/g, (word) =>
      word.includes('://') ? word : word.replace(/(^|[=,;:])\/[^/,;:]+\/(?:[^/,;:]+\/)*/g, '$1…/'),
    );
