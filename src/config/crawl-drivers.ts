/** How crawls can run. Crawlers in containers share nothing with the API but Redis and the object store. */
export const CRAWL_DRIVERS = {
  local: { inContainers: false },
  docker: { inContainers: true },
  kubernetes: { inContainers: true },
  fake: { inContainers: false },
} as const;

export type CrawlDriverName = keyof typeof CRAWL_DRIVERS;
