import type { CrawlDriverName } from '../../config/env.js';
import type { JobId } from '../crawl-driver.types.js';
import type { InstancePlan } from './instance-plan.js';

/** A container of a run as its engine shows it. */
export interface ContainerState {
  readonly index: number;
  /** `waiting`: there is no place, image or node yet; `backoff`: the container is between two starts after a crash. */
  readonly phase: 'waiting' | 'running' | 'backoff' | 'exited' | 'evicted';
  /** Number of browser windows that the container was made for. */
  readonly workers: number;
  readonly startedAt?: Date;
  readonly exitedAt?: Date;
  readonly exitCode?: number;
  readonly oom?: boolean;
  /** The container was made, but its maker died before it was started. */
  readonly unstarted?: boolean;
  /** The reason why the container does not run, in words for the user's error log. */
  readonly trouble?: string;
}

/** The result of a try to give an instance more scratch space. */
export interface Growth {
  /** Whether the next container gets the larger space. */
  readonly grown: boolean;
  /** What happened, in words for the user's error log. */
  readonly said?: string;
}

/**
 * An engine that runs instances as containers, and restarts those that exit with another code than 0. Every verb is
 * idempotent. A container that is not there counts as removed.
 */
export abstract class ContainerRuntime {
  abstract readonly kind: CrawlDriverName;

  /** The run's containers, in no order. @throws EngineUnavailable */
  abstract containers(jobId: JobId): Promise<ContainerState[]>;

  /** Creates and starts a container, with the scratch space of an earlier one of its name. @throws EngineUnavailable */
  abstract create(plan: InstancePlan): Promise<void>;

  /** Gives an existing container other config files. It reads them at its next start. */
  abstract configure(plan: InstancePlan): Promise<void>;

  /**
   * Asks a running container to finish its pages and exit, and resolves before it has. The engine does not restart it.
   */
  abstract stop(jobId: JobId, index: number): Promise<void>;

  /**
   * Makes room for an instance that found its scratch space full, where the engine can.
   * @param usedBytes bytes that the instance keeps there
   */
  abstract growScratch(jobId: JobId, index: number, usedBytes: number): Promise<Growth>;

  /** Removes a container. Its scratch space stays. */
  abstract removeContainer(jobId: JobId, index: number): Promise<void>;

  /** Removes the run's crawlers and all data that they kept. */
  abstract removeInstances(jobId: JobId): Promise<void>;

  /** Removes all containers of the run, whatever their role, and all data that they kept. */
  abstract removeRun(jobId: JobId): Promise<void>;

  /** Runs of which the engine has any object. */
  abstract runs(): Promise<JobId[]>;

  /** URL of the live view of an instance: `ws://host:port/`; null when the instance does not run. */
  abstract screencastUrl(jobId: JobId, index: number): Promise<string | null>;

  /** @throws EngineUnavailable */
  abstract ping(): Promise<void>;

  /** Closes the connections to the engine. */
  close(): void {
    return;
  }
}

/** The engine does not answer, or does not answer as it should. */
export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable';
}
