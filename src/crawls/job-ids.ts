import { createHash } from 'node:crypto';

/** Namespace of derived ids; any fixed UUID does. */
const NAMESPACE = 'b0a7f6c2-58d3-4b0e-9f0e-6f1d6c1f2a53';

const stamp = (date: Date): string => date.toISOString().replace(/\D/g, '').slice(0, 14);

/** `manual-<YYYYMMDDHHMMSS>-<first 12 characters of cid>`. Contract: crawling §1.4. */
export const manualCrawlId = (cid: string, started: Date): string => `manual-${stamp(started)}-${cid.slice(0, 12)}`;

export const qaRunId = (cid: string, started: Date): string => `qa-${stamp(started)}-${cid.slice(0, 12)}`;

/** Derived from the scheduled minute, so that a firing has one id whoever starts it. */
export const scheduledCrawlId = (cid: string, scheduledAt: Date): string =>
  `sched-${cid.slice(0, 12)}-${String(Math.floor(scheduledAt.getTime() / 60_000))}`;

/** The same line of a job has the same id however often it is handed over. */
export const logLineId = (jobId: string, seq: number): string => derivedId(`${jobId}:${String(seq)}`);

/** UUIDv5 (RFC 9562 §5.5) of a name. */
export function derivedId(name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
