import type { EventBatch, JobObservation, QueueWindow } from './crawl-driver.types.js';

/** The drivers' answer for a run that they do not know. */
export const noRun = (): JobObservation => ({
  exists: false,
  storeUp: false,
  instances: [],
  found: 0,
  done: 0,
  rateLimited: false,
  requiredCrawls: [],
});

export const noEvents = (): EventBatch => ({ events: [], ack: () => Promise.resolve() });

export const noQueue = (): QueueWindow => ({ total: 0, urls: [] });
