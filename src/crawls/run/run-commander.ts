import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { minutes } from '../../common/units/durations.js';
import { CrawlDriver } from '../../drivers/crawl-driver.js';
import type { CrawlJobSpec, InstanceObservation, JobObservation } from '../../drivers/crawl-driver.types.js';
import { isPaused } from '../../items/data/item-state.facts.js';
import type { CrawlJob } from '../data/crawl-job.schema.js';
import type { HeldRun } from '../data/held-run.js';
import { crawlerRunning, exitedWell, UPLOADED_BELOW_BYTES } from '../rules/run-verdict.js';
import { RunKinds, type RunContext } from './run-kind.js';
import type { Seen } from './run-observer.js';
import { RunStops } from './run-stops.js';

/** A store that no crawler has used for this long may be stopped (crawling §11.10). */
const STORE_IDLE_MS = minutes(1);

/** The number of instances that there are pages for. Contract: crawling §11.2 steps 8 and 11. */
export function instancesWorthwhile(desired: number, found: number, windowsPerInstance: number): number {
  const most = found < desired ? Math.max(1, found) : desired;
  return Math.min(most, Math.floor(found / windowsPerInstance) + 1);
}

/**
 * Whether nothing is lost with a surplus instance: it never began, exited well, or ended with next to nothing to
 * upload.
 */
const isOver = (instance: InstanceObservation): boolean => {
  if (exitedWell(instance)) return true;
  const { phase, status, pendingBytes } = instance;
  return (status === undefined || phase === 'exited') && pendingBytes <= UPLOADED_BELOW_BYTES;
};

/** Tells the driver the desired state. Contract: crawling §11.2 step 11, §11.6. */
@Injectable()
export class RunCommander {
  constructor(
    private readonly driver: CrawlDriver,
    private readonly stops: RunStops,
    private readonly kinds: RunKinds,
    private readonly clock: Clock,
  ) {}

  async cancel(job: CrawlJob): Promise<void> {
    await this.driver.cancel(job._id);
  }

  /** @param seen what the run does now; `state`: the state that it shows from now on */
  async command(held: HeldRun, context: RunContext, { seen, state }: { seen: Seen; state: string }): Promise<void> {
    await this.resume(held);
    await this.stops.decide(held, context, seen);
    const { job } = held;
    const idle = job.pausedAt !== null && isPaused(state);
    const spec = await this.buildSpec(context, idle);
    const wanted = this.wantedInstances(spec, seen, idle);
    const staying = await this.scaleDown(job, seen, wanted);
    const keep = idle ? wanted : Math.max(staying, seen.instances.filter(({ phase }) => phase === 'running').length);
    const restart = job.restartTime !== null && (job.restartedAt === null || job.restartTime > job.restartedAt);
    await this.driver.ensure(spec, keep, { restart });
    if (restart) await held.change({ restartedAt: job.restartTime });
    if (!idle) await this.publishStop(job);
    await this.restStore(held, seen);
  }

  /** Builds the spec. A run that can no longer be described can still be asked to end. */
  private async buildSpec(context: RunContext, idle: boolean): Promise<CrawlJobSpec> {
    const { job } = context;
    try {
      return await this.kinds.of(job.kind).buildSpec(context);
    } catch (error) {
      if (!idle) await this.publishStop(job);
      throw error;
    }
  }

  /** Lifts a pause at the driver, so that the crawler continues where it was. */
  private async resume(held: HeldRun): Promise<void> {
    const { job } = held;
    if (job.pausedAt !== null || !isPaused(job.stopReason)) return;
    await this.driver.clearPause(job._id);
    await held.change({ stopReason: null });
  }

  private async publishStop(job: CrawlJob): Promise<void> {
    if (job.stopReason === null) return;
    if (isPaused(job.stopReason)) await this.driver.pause(job._id);
    else await this.driver.requestStop(job._id);
  }

  /**
   * The number of instances to run: never more than there are pages for. While paused it is none, except those that
   * still have to upload.
   */
  private wantedInstances(spec: CrawlJobSpec, seen: JobObservation, idle: boolean): number {
    if (idle) {
      const uploading = seen.instances.filter(({ pendingBytes }) => pendingBytes > UPLOADED_BELOW_BYTES);
      return Math.max(0, ...uploading.map(({ index }) => index + 1));
    }
    return instancesWorthwhile(this.driver.instanceCount(spec), seen.found, spec.windowsPerInstance);
  }

  /**
   * Lets surplus instances finish their pages, and then gives them up from the top. Contract: crawling §11.6.
   * @returns how many instances stay; one that crashed starts again for what it has not uploaded
   */
  private async scaleDown(job: CrawlJob, seen: JobObservation, wanted: number): Promise<number> {
    if (wanted === 0) return 0;
    let staying = wanted;
    for (const instance of [...seen.instances].sort((a, b) => b.index - a.index)) {
      const { index } = instance;
      if (index < wanted) break;
      if (staying === wanted && isOver(instance)) {
        await this.driver.releaseInstance(job._id, index);
      } else {
        staying = Math.max(staying, index + 1);
        await this.driver.requestStopInstance(job._id, index);
      }
    }
    return staying;
  }

  private async restStore(held: HeldRun, seen: JobObservation): Promise<void> {
    const { job } = held;
    if (job.storeSuspended || !seen.storeUp || crawlerRunning(seen) || !job.lastActiveTime) return;
    if (this.clock.nowMs() - job.lastActiveTime.getTime() < STORE_IDLE_MS) return;
    await this.driver.suspendStore(job._id);
    await held.change({ storeSuspended: true });
  }
}
