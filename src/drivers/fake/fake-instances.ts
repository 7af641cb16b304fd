import type { CrawlJobSpec, InstanceObservation } from '../crawl-driver.types.js';
import type { FakeScript } from './fake-script.js';
import type { InstanceStatus } from '../../../crawler/protocol.js';

export interface FakeInstance extends InstanceObservation {
  /** When a pending or crashed instance starts, in ms. */
  dueAtMs: number;
  backoffMs: number;
}

const MIN_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 300_000;

/** Exit codes that are not restarted (crawling §14.8). */
const FINAL_CODES: readonly number[] = [0, 4, 9];

/** The instances of one fake run; the last four methods are for tests. */
export class FakeInstances {
  private list: FakeInstance[] = [];
  private starts = 0;

  constructor(private readonly script: FakeScript) {}

  ensure(spec: CrawlJobSpec, wanted: number, anew: boolean, nowMs: number): void {
    for (const instance of this.list) {
      if (instance.index >= wanted && instance.phase !== 'exited') exitInstance(instance, 11, 'interrupted', nowMs);
    }
    for (let index = 0; index < wanted; index += 1) {
      const workers = workersOf(spec, index, wanted);
      const known = this.list[index];
      const startAgain = known?.phase === 'evicted' || (known?.phase === 'exited' && anew);
      if (known && !startAgain) known.workers = workers;
      else this.list[index] = this.pending(index, workers, nowMs);
    }
  }

  /** Starts the instances that are due. @returns the latest start in ms, or 0 */
  startDue(nowMs: number): number {
    let latest = 0;
    for (const instance of this.list) {
      if ((instance.phase !== 'pending' && instance.phase !== 'backoff') || instance.dueAtMs > nowMs) continue;
      const crash = this.script.crashes[this.starts];
      this.starts += 1;
      instance.startedAt = new Date(instance.dueAtMs);
      delete instance.exitedAt;
      delete instance.exitCode;
      instance.phase = 'running';
      instance.status = 'running';
      latest = Math.max(latest, instance.dueAtMs);
      if (crash !== undefined) crashInstance(instance, crash, instance.dueAtMs);
    }
    return latest;
  }

  /** Makes instances that wait for a place due no earlier than now. */
  postpone(nowMs: number): void {
    for (const instance of this.list) instance.dueAtMs = Math.max(instance.dueAtMs, nowMs);
  }

  /** Makes all waiting instances due now. */
  hurry(nowMs: number): void {
    for (const instance of this.list) instance.dueAtMs = Math.min(instance.dueAtMs, nowMs);
  }

  /** Reports the instances. @param pendingBytes all counted for the first instance */
  observe(pendingBytes: number): InstanceObservation[] {
    return this.list.map(({ dueAtMs: _due, backoffMs: _backoff, ...seen }) => ({
      ...seen,
      pendingBytes: seen.index === 0 ? pendingBytes : 0,
    }));
  }

  release(index: number): void {
    if (index === this.list.length - 1) this.list.pop();
  }

  running(): FakeInstance[] {
    return this.list.filter(({ phase }) => phase === 'running');
  }

  alive(): FakeInstance[] {
    return this.list.filter(({ phase }) => phase !== 'exited' && phase !== 'evicted');
  }

  /** Ends an instance with a code of the test's choice; codes other than 0, 4 and 9 are restarted with backoff. */
  crash(index: number, code: number, atMs: number): void {
    crashInstance(this.at(index), code, atMs);
  }

  /** Ends an instance for good. */
  end(index: number, code: number, status: InstanceStatus, atMs: number): void {
    exitInstance(this.at(index), code, status, atMs);
  }

  evict(index: number, atMs: number): void {
    const instance = this.at(index);
    instance.phase = 'evicted';
    instance.exitedAt = new Date(atMs);
  }

  setStatus(index: number, status: InstanceStatus): void {
    this.at(index).status = status;
  }

  private at(index: number): FakeInstance {
    const instance = this.list[index];
    if (!instance) throw new Error(`the fake job has no instance ${String(index)}`);
    return instance;
  }

  private pending(index: number, workers: number, nowMs: number): FakeInstance {
    return {
      index,
      phase: 'pending',
      workers,
      pendingBytes: 0,
      dueAtMs: nowMs + this.script.startSeconds * 1000,
      backoffMs: 0,
    };
  }
}

export function exitInstance(instance: FakeInstance, code: number, status: InstanceStatus, atMs: number): void {
  instance.phase = 'exited';
  instance.status = status;
  instance.exitCode = code;
  instance.exitedAt = new Date(Math.max(atMs, instance.startedAt?.getTime() ?? atMs));
  if (code === 137) instance.oom = true;
}

function crashInstance(instance: FakeInstance, code: number, atMs: number): void {
  if (FINAL_CODES.includes(code)) {
    exitInstance(instance, code, code === 0 ? 'done' : 'failed', atMs);
    return;
  }
  exitInstance(instance, code, 'interrupted', atMs);
  instance.phase = 'backoff';
  instance.backoffMs = Math.min(MAX_BACKOFF_MS, instance.backoffMs === 0 ? MIN_BACKOFF_MS : instance.backoffMs * 2);
  instance.dueAtMs = atMs + instance.backoffMs;
}

function workersOf(spec: CrawlJobSpec, index: number, wanted: number): number {
  const { browserWindows, windowsPerInstance } = spec;
  return wanted === 1 ? browserWindows : Math.min(windowsPerInstance, browserWindows - index * windowsPerInstance);
}
