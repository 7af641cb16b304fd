/** Names of a run in Redis. The driver and the crawlers in containers share them. Source: spec crawling §14.2, 14.5. */

/** Host name of an instance, and its name in Redis. */
export const instanceName = (jobId: string, index: number): string => `crawl-${jobId}-${String(index)}`;

/** The index in an instance's name; null for another run's. */
export function indexOf(jobId: string, name: string): number | null {
  const prefix = `crawl-${jobId}-`;
  const index = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : NaN;
  return Number.isInteger(index) ? index : null;
}

/** Names in Redis of one run. Upstream does not know the names that contain `muniment`. */
export function runKeys(jobId: string) {
  return {
    status: `${jobId}:status`,
    size: `${jobId}:size`,
    done: `${jobId}:d`,
    seen: `${jobId}:s`,
    extraSeeds: `${jobId}:extraSeeds`,
    excluded: `${jobId}:excluded`,
    /** Number of pages of a quality check, which has no queue whose sets would tell it. */
    found: `${jobId}:muniment:found`,
    queue: `${jobId}:q`,
    /** Hash of the pages in progress by URL. The lock of each page has this name with `:<url>` behind it. */
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
    /** Pages finished, whether reported or not; `done` follows it. */
    finished: `${jobId}:finished`,
    sitemapDone: `${jobId}:sitemapDone`,
    /** Exists while the queue of the run is whole: its seeds were queued, and Redis has lost nothing since. */
    seeded: `${jobId}:seeded`,
    /** Pages that are to be tried again later, sorted by the time in ms. */
    held: `${jobId}:held`,
    /** Which instance reads the sitemaps. */
    sitemapReader: `${jobId}:sitemapReader`,
    /** Scopes that redirected seeds added, `{seedId, url}` each. */
    redirects: `${jobId}:redirects`,
  };
}

/** Names in Redis of one instance. */
export function instanceKeys(uid: string) {
  return {
    messages: `${uid}:msg`,
    /** Byte offsets into the instance's own files: Redis has everything before them. */
    offsets: `${uid}:offsets`,
  };
}

/** Names in Redis of one run that only the driver uses, besides those of its crawlers (`:muniment`, `:taking`). */
export function storeKeys(jobId: string) {
  return {
    ...runKeys(jobId),
    /** Upstream has no prefix here; a Redis shared by all runs needs the id (crawling §14.3). */
    files: `${jobId}:crawls-done`,
    /** Hash of what the driver has to know of a run that another process started. */
    run: `${jobId}:muniment`,
    /** Number of the database of a shared Redis that holds the run's copy of a dedupe index. */
    index: `${jobId}:muniment:index`,
    /** Number of batches acknowledged, so that a late `ack` of an earlier batch does nothing. */
    batches: `${jobId}:muniment:batches`,
    messages: (index: number): string => instanceKeys(instanceName(jobId, index)).messages,
  };
}

/** The set of all runs that Redis holds data of. */
export const RUNS_KEY = 'muniment:jobs';

export type RunKeys = ReturnType<typeof runKeys>;
export type StoreKeys = ReturnType<typeof storeKeys>;
export type InstanceKeys = RunKeys & ReturnType<typeof instanceKeys>;
