/** The values with which every new item starts. Contract: crawling §3.4. */
export const NEW_ITEM = {
  collectionIds: [],
  reviewStatus: null,
  stats: { found: 0, done: 0, size: 0, req_crawls: [] },
  files: [],
  fileSize: 0,
  fileCount: 0,
  crawlExecSeconds: 0,
  pageCount: 0,
  uniquePageCount: 0,
  filePageCount: 0,
  errorPageCount: 0,
  version: 2,
  requiresCrawls: [],
  requiredByCrawls: [],
};
