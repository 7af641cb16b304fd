import type { InstanceObservation, JobObservation } from '../../drivers/crawl-driver.types.js';
import {
  isPaused,
  isRunning,
  type ActiveState,
  type CrawlState,
  type FinalState,
} from '../../items/data/item-state.facts.js';
import { seconds } from '../../common/units/durations.js';
import { finalStateFor } from './crawl-state.js';

/** What follows from an observation. */
export type RunVerdict =
  | { readonly do: 'stay' }
  | { readonly do: 'move'; readonly to: ActiveState }
  | { readonly do: 'finish'; readonly to: FinalState };

export interface JudgedRun {
  readonly state: CrawlState;
  readonly started: Date;
  readonly stopReason: string | null;
  /** A user or a limit has asked for a graceful stop. */
  readonly stopRequested: boolean;
  /** A pause was asked for. */
  readonly pauseRequested: boolean;
  /** Whether an instance of the run was ever running. */
  readonly hasRun: boolean;
  /** Pages that were done when the run was last looked at. */
  readonly pagesDone: number;
  /** Starts in a row that ended because the proxy was not reached, and that added no page. */
  readonly proxyFailures: number;
  /** Number of files that this run has registered. */
  readonly filesAdded: number;
}

/** Time after which a start without any instance shows as `waiting_capacity` (crawling §11.10). */
const STARTING_PATIENCE_MS = seconds(150);
/** An instance that holds more bytes than this is not paused before it has uploaded them (crawling §11.2). */
export const UPLOADED_BELOW_BYTES = 4096;
/** Exit codes of an invalid config and of a fatal error. Starting again is pointless then (crawling §14.8). */
const HOPELESS_EXITS: readonly (number | undefined)[] = [4, 17];
const RATE_LIMITED_EXIT = 18;
export const PROXY_EXIT = 21;
/**
 * Proxy failures of each instance after which the run ends. They cover most of an hour of backoff, and exceed the local
 * driver's own limit.
 */
const MAX_PROXY_FAILURES = 12;

const STAY: RunVerdict = { do: 'stay' };
const move = (to: ActiveState): RunVerdict => ({ do: 'move', to });
const finish = (to: FinalState): RunVerdict => ({ do: 'finish', to });

export const exitedWell = ({ phase, exitCode }: InstanceObservation): boolean => phase === 'exited' && exitCode === 0;
const crashed = (instance: InstanceObservation): boolean =>
  instance.phase === 'backoff' || (instance.phase === 'exited' && instance.exitCode !== 0);

/** The exit code of the instance that exited last. */
function lastExitCode(instances: readonly InstanceObservation[]): number | undefined {
  const exited = instances.filter(({ exitedAt }) => exitedAt);
  exited.sort((a, b) => (a.exitedAt?.getTime() ?? 0) - (b.exitedAt?.getTime() ?? 0));
  return exited.at(-1)?.exitCode;
}

/** Whether any crawler instance runs or has exited well. */
export const crawlerRunning = ({ instances }: JobObservation): boolean =>
  instances.some((instance) => instance.phase === 'running' || exitedWell(instance));

const allCrashed = ({ instances }: JobObservation): boolean => instances.length > 0 && instances.every(crashed);

const failure = (observed: JobObservation): RunVerdict =>
  finish(observed.failReason === 'not_logged_in' ? 'failed_not_logged_in' : 'failed');

/** Derives the run's next state from what its instances report. Contract: crawling §11.4, §11.7. */
export function judge(run: JudgedRun, observed: JobObservation, now: Date): RunVerdict {
  if (isStoppedForNothing(run, observed)) return finish('canceled');
  if (allCrashed(observed) && HOPELESS_EXITS.includes(lastExitCode(observed.instances))) return failure(observed);
  if (isWithoutProxy(run, observed)) return failure(observed);
  const ended = observed.storeUp ? judgeEnd(run, observed) : null;
  if (ended) return ended;
  if (!crawlerRunning(observed) || !observed.storeUp) return judgeIdle(run, observed, now);
  return judgeActive(run, observed);
}

/**
 * Whether the run was stopped before it had a page or a file, and no running instance could still bring one. Such an
 * end is no failure, and no success without content.
 */
function isStoppedForNothing(run: JudgedRun, { instances, done, storeUp }: JobObservation): boolean {
  if (!run.stopRequested || run.filesAdded > 0 || Math.max(done, run.pagesDone) > 0) return false;
  // What a run has crawled is only known with its store.
  const known = storeUp || !run.hasRun;
  return known && instances.every(({ phase }) => phase !== 'running');
}

/** Whether no start reaches the proxy, and there is no page that a later start could add to. */
function isWithoutProxy(run: JudgedRun, observed: JobObservation): boolean {
  if (!allCrashed(observed) || Math.max(observed.done, run.pagesDone) > 0) return false;
  return run.proxyFailures >= MAX_PROXY_FAILURES * observed.instances.length;
}

/** The verdict when all instances have ended, or are paused. */
function judgeEnd(run: JudgedRun, observed: JobObservation): RunVerdict | null {
  const { instances } = observed;
  const expected = instances.length;
  if (expected === 0) return null;
  const having = (status: string): InstanceObservation[] => instances.filter((instance) => instance.status === status);
  const done = having('done').length;
  const failed = having('failed').length;
  if (done + failed < expected) {
    const interrupted = having('interrupted').filter(hasUploaded).length;
    const mayPause = run.pauseRequested && isPaused(run.stopReason);
    return mayPause && interrupted + failed >= expected ? move(run.stopReason as ActiveState) : null;
  }
  if (done >= 1) {
    if (instances.filter(exitedWell).length < done) return null;
    return observed.found === 1 && run.filesAdded === 0 ? failure(observed) : finish(finalStateFor(run.stopReason));
  }
  const stoppedBeforeAnyPage = run.stopReason !== null && observed.done === 0;
  return stoppedBeforeAnyPage ? finish('canceled') : failure(observed);
}

const hasUploaded = (instance: InstanceObservation): boolean =>
  exitedWell(instance) || (instance.phase !== 'running' && instance.pendingBytes <= UPLOADED_BELOW_BYTES);

/** The verdict when no instance runs. */
function judgeIdle(run: JudgedRun, observed: JobObservation, now: Date): RunVerdict {
  if (allCrashed(observed) && lastExitCode(observed.instances) === RATE_LIMITED_EXIT) return move('rate-limited');
  if (observed.instances.some(exitedWell)) return STAY;
  if (isRunning(run.state)) return move('waiting_capacity');
  if (run.state === 'starting' && observed.capacityWait) return move('waiting_capacity');
  const startingForLong = run.state === 'starting' && now.getTime() - run.started.getTime() >= STARTING_PATIENCE_MS;
  return startingForLong ? move('waiting_capacity') : STAY;
}

/** The verdict when some instance runs. The most advanced status decides. */
function judgeActive(run: JudgedRun, observed: JobObservation): RunVerdict {
  const statuses = new Set(observed.instances.filter(({ phase }) => phase === 'running').map(({ status }) => status));
  statuses.delete(undefined);
  if (statuses.size === 0) return STAY;
  for (const status of ['generate-wacz', 'uploading-wacz', 'pending-wait'] as const)
    if (statuses.has(status)) return move(status);
  return move(observed.rateLimited ? 'rate-limited' : 'running');
}
