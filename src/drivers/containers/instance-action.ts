import type { ContainerState } from './container-runtime.js';
import type { EndedInstance, RunFlags } from './run-store.js';
import type { InstanceStatus } from '../../../crawler/protocol.js';

/**
 * What has to happen with a wanted instance:
 * - `create` a container, `recreate` it (the old one is over), `stop` it so that it is recreated, or `keep` it.
 */
export type InstanceAction = 'create' | 'recreate' | 'stop' | 'keep';

export interface InstanceSituation {
  readonly container: ContainerState | undefined;
  /** How it ended, where its container is gone. */
  readonly ended: EndedInstance | undefined;
  readonly status: InstanceStatus | undefined;
  readonly flags: RunFlags;
  /** Windows it should have. */
  readonly workers: number;
  readonly restart: boolean;
  /** Its scratch space was full, and the next container has more. */
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
      // Packing the last files needs the room as well.
      if (grown) return 'stop';
      // Which windows pack the last files does not matter any more.
      if (flags.stopping || flags.paused) return 'keep';
      return restart || container.workers !== workers ? 'stop' : 'keep';
    case 'evicted':
      return 'recreate';
    case 'exited':
      return container.exitCode === 0 && isOver(status, flags, restart) ? 'keep' : 'recreate';
  }
}

/** An instance that exited 0 stays down, unless a pause was lifted or a restart is asked for. */
function isOver(status: InstanceStatus | undefined, { paused }: RunFlags, restart: boolean): boolean {
  if (restart && status !== 'done') return false;
  return status !== 'interrupted' || paused;
}
