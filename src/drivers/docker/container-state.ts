import type { ContainerInspectInfo } from 'dockerode';
import type { ContainerState } from '../containers/container-runtime.js';

type State = ContainerInspectInfo['State'];

/** The engine's value for a time that has not come yet. */
const NEVER = /^0001-/;

/** Translates the engine's state of a container. */
export function containerState(index: number, state: State, workers: number): ContainerState {
  const phase = phaseOf(state);
  const startedAt = time(state.StartedAt);
  const exitedAt = phase === 'exited' || phase === 'backoff' ? time(state.FinishedAt) : undefined;
  return {
    index,
    phase,
    workers,
    ...(startedAt ? { startedAt } : {}),
    ...(exitedAt ? { exitedAt } : {}),
    ...(phase === 'running' || phase === 'waiting' ? {} : { exitCode: state.ExitCode }),
    ...(state.Status === 'created' ? { unstarted: true } : {}),
    ...(state.OOMKilled ? { oom: true } : {}),
    ...(state.Error ? { trouble: `The container could not be started: ${state.Error}` } : {}),
  };
}

function phaseOf({ Status, Running, Restarting }: State): ContainerState['phase'] {
  if (Restarting) return 'backoff';
  if (Running) return 'running';
  return Status === 'created' ? 'waiting' : 'exited';
}

function time(text: string): Date | undefined {
  return text && !NEVER.test(text) ? new Date(text) : undefined;
}
