import type { ContainerState } from './container-runtime.js';
import type { EndedInstance, RunFlags } from './run-store.js';
import type { InstanceStatus } from '../../../crawler/protocol.js';

/**
 * The action for a wanted instance:
 * - `create` a container, `recreate` it (the old one is over), `stop` it so that it is recreated, or `keep` it.
 */
export type InstanceAction = 'create' | 'recreate' | 'stop' | 'keep';

export interface InstanceSituation {
  readonly container: ContainerState | undefined;
  /** The end of the instance, where its container is gone. */
  readonly ended: EndedInstance | undefined;
  readonly status: InstanceStatus | undefined;
  readonly flags: RunFlags;
  /** Number of windows that the instance should have. */
  readonly workers: number;
  readonly restart: boolean;
  /** The instance's scratch space was full, and the next container has more. */
  readonly grown: boolean;
}

/** The rules of `ensure` (crawling §14) for one instance of a container driver. */
export function instanceAction({
  container,
  ended,
  status,
  flags,
  workers,
  restart,
  grown,
}: InstanceSituation): InstanceAction {
  if (flags.canceled) return 'keep';
  if (!container) return ended && isOver(status, flags, restart) ? 'keep' : 'create';
  if (container.unstarted) return 'create';
  switch (container.phase) {
    case 'waiting':
      return restart || container.workers !== workers ? 'recreate' : 'keep';
    case 'running':
    case 'backoff':
      // Packing the last files needs the larger space as well.
      if (grown) return 'stop';
      // The number of windows does not matter for packing the last files.
      if (flags.stopping || flags.paused) return 'keep';
      return restart || container.workers !== workers ? 'stop' : 'keep';
    case 'evicted':
      return 'recreate';
    case 'exited':
      return container.exitCode === 0 && isOver(status, flags, restart) ? 'keep' : 'recreate';
  }
}

/** Whether an instance is over. One that exited 0 stays down, unless a pause was lifted or a restart is asked for. */
function isOver(status: InstanceStatus | undefined, { paused }: RunFlags, restart: boolean): boolean {
  if (restart && status !== 'done') return false;
  return status !== 'interrupted' || paused;
}
