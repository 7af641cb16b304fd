import { derivedId } from '../../common/ids/derived-id.js';

const stamp = (date: Date): string => date.toISOString().replace(/\D/g, '').slice(0, 14);

/** Id of a crawl started by hand: `manual-<YYYYMMDDHHMMSS>-<first 12 characters of cid>`. Contract: crawling §1.4. */
export const manualCrawlId = (cid: string, started: Date): string => `manual-${stamp(started)}-${cid.slice(0, 12)}`;

export const qaRunId = (cid: string, started: Date): string => `qa-${stamp(started)}-${cid.slice(0, 12)}`;

/**
 * Id of a scheduled crawl. It is derived from the scheduled minute, so that a firing has one id whichever process
 * starts it.
 */
export const scheduledCrawlId = (cid: string, scheduledAt: Date): string =>
  `sched-${cid.slice(0, 12)}-${String(Math.floor(scheduledAt.getTime() / 60_000))}`;

/** Id of a log line of a job. The line has the same id however often it is handed over. */
export const logLineId = (jobId: string, seq: number): string => derivedId(`${jobId}:${String(seq)}`);
