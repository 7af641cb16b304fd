import { EXIT_CODES, type CrawlerStats, type InstanceStatus } from '../../../../crawler/protocol.js';
import type { InstanceObservation, InstancePhase, JobObservation } from '../../crawl-driver.types.js';
import { isFinished } from '../exits.js';
import type { RunRecord } from './run-record.js';

/** The state of a run that its record does not have. */
export interface LiveState {
  readonly nowMs: number;
  readonly wanted: number;
  readonly windows: number;
  readonly childAlive: boolean;
  readonly status?: InstanceStatus;
  readonly stats?: CrawlerStats;
  /** Bytes that are not yet in the object store and registered. */
  readonly pendingBytes: number;
  /** Finished files in `out/`, stored ones without an acknowledgement included. */
  readonly filesLeft: number;
}

/** Reports a local run: one instance with all its windows. */
export function observeRun(record: RunRecord, live: LiveState): JobObservation {
  const failReason = record.failReason;
  return {
    exists: true,
    storeUp: true,
    instances: record.run || live.wanted > 0 ? [observeInstance(record, live)] : [],
    found: record.found,
    done: record.done,
    rateLimited: live.stats?.rateLimited ?? record.run?.exitCode === EXIT_CODES.rate_limited,
    ...(failReason === undefined ? {} : { failReason }),
    requiredCrawls: [...(record.requiredCrawls ?? [])],
    ...(record.profileUpload ? { profileUpload: record.profileUpload } : {}),
  };
}

function observeInstance(record: RunRecord, live: LiveState): InstanceObservation {
  const { run } = record;
  const phase = phaseOf(record, live);
  const instance: InstanceObservation = { index: 0, phase, workers: live.windows, pendingBytes: live.pendingBytes };
  if (live.stats?.memoryBytes !== undefined && live.childAlive) instance.memoryBytes = live.stats.memoryBytes;
  if (!run) return instance;
  instance.startedAt = new Date(run.startedAt);
  if (phase === 'running') {
    const status = live.childAlive ? live.status : 'uploading-wacz';
    if (status) instance.status = status;
    return instance;
  }
  if (run.exitedAt) instance.exitedAt = new Date(run.exitedAt);
  if (run.exitCode !== undefined) instance.exitCode = run.exitCode;
  if (run.status) instance.status = run.status;
  if (run.oom) instance.oom = true;
  return instance;
}

function phaseOf(record: RunRecord, live: LiveState): InstancePhase {
  if (live.childAlive) return 'running';
  if (isFinished(record)) {
    // The run counts as done only when all its files are in the object store and registered.
    return record.run?.status !== 'canceled' && live.filesLeft > 0 ? 'running' : 'exited';
  }
  if (live.nowMs < record.retryAtMs) return 'backoff';
  return record.run && live.wanted === 0 ? 'exited' : 'pending';
}
