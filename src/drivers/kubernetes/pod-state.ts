import type { V1ContainerStateTerminated, V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import { indexOf } from '../../../formats/redis-keys/run-keys.js';
import type { ContainerState } from '../containers/container-runtime.js';
import { sentence } from './api-answers.js';
import { CONTAINER, WORKERS_LABEL } from './pod-manifest.js';

/**
 * Time after the end of its grace for which a pod may still be there before its node counts as lost. It is longer than
 * the difference between clocks: a crawler that still runs must not get a second one beside it.
 */
const LOST_AFTER_MS = 360_000;
/** The kubelet's reason for a pod that `stop` ended by its deadline. */
const STOPPED = 'DeadlineExceeded';
const IMAGE_TROUBLES: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
]);
/** Reasons for waiting that are part of every start. */
const USUAL: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing', 'CrashLoopBackOff']);

/** Translates the state of a pod of the run. Null for a pod that is not an instance of it. */
export function podState(jobId: string, pod: V1Pod, now: Date): ContainerState | null {
  const index = indexOf(jobId, pod.metadata?.name ?? '');
  if (index === null) return null;
  const workers = Number(pod.metadata?.labels?.[WORKERS_LABEL] ?? 1);
  const container = pod.status?.containerStatuses?.find(({ name }) => name === CONTAINER);
  return { index, workers, ...stateOf(pod, container, now) };
}

/** The address of a pod; an IPv6 address is in brackets. Null when the pod has none. */
export function hostOf({ status }: V1Pod): string | null {
  const address = status?.podIP;
  if (!address) return null;
  return address.includes(':') ? `[${address}]` : address;
}

/** The name under which other pods of the cluster reach a pod, by way of its headless service. */
export function innerHostOf({ spec }: V1Pod, suffix: string): string {
  return `${spec?.hostname ?? ''}.${spec?.subdomain ?? ''}${suffix}`;
}

type State = Omit<ContainerState, 'index' | 'workers'>;

function stateOf(pod: V1Pod, container: V1ContainerStatus | undefined, now: Date): State {
  const { phase, reason, message } = pod.status ?? {};
  if (isLost(pod, now)) {
    const node = pod.spec?.nodeName ?? '';
    return {
      phase: 'evicted',
      ...timesOf(container),
      trouble: `The node ${node} of the crawler does not answer any more. The crawler is started elsewhere.`,
    };
  }
  if (phase === 'Succeeded') return exited(container);
  if (phase === 'Failed') {
    const disruption = pod.status?.conditions?.find(
      ({ type, status }) => type === 'DisruptionTarget' && status === 'True',
    );
    const cause = disruption?.reason ?? reason;
    const isOwnEnd = cause === STOPPED || cause === undefined || cause === '';
    if (isOwnEnd) return exited(container);
    return {
      phase: 'evicted',
      ...timesOf(container),
      trouble: `The cluster took the crawler off its node (${cause}): ${sentence(disruption?.message ?? message)} It is started again.`,
    };
  }
  if (container?.state?.running) return { phase: 'running', ...time('startedAt', container.state.running.startedAt) };
  const last = container?.state?.terminated ?? container?.lastState?.terminated;
  if (last) return last.exitCode === 0 ? exited(container) : { phase: 'backoff', ...endOf(last) };
  return { phase: 'waiting', ...waitingTrouble(pod, container) };
}

function exited(container: V1ContainerStatus | undefined): State {
  const last = container?.state?.terminated ?? container?.lastState?.terminated;
  return { phase: 'exited', ...(last ? endOf(last) : {}) };
}

function endOf({ startedAt, finishedAt, exitCode, reason }: V1ContainerStateTerminated): Omit<State, 'phase'> {
  const oom = reason === 'OOMKilled';
  return {
    ...time('startedAt', startedAt),
    ...time('exitedAt', finishedAt),
    exitCode,
    ...(oom
      ? { oom, trouble: 'The crawler needed more memory than it may have and was ended. It is started again.' }
      : {}),
  };
}

/** The times at which a pod that is gone from its node was running. */
function timesOf(container: V1ContainerStatus | undefined): Omit<State, 'phase'> {
  const last = container?.state?.terminated ?? container?.lastState?.terminated;
  if (last) return endOf(last);
  return time('startedAt', container?.state?.running?.startedAt);
}

function waitingTrouble(pod: V1Pod, container: V1ContainerStatus | undefined): { trouble?: string } {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False' && scheduled.reason === 'Unschedulable')
    return { trouble: `No node of the cluster has room for the crawler: ${sentence(scheduled.message)}` };
  const { reason, message } = container?.state?.waiting ?? {};
  if (!reason || USUAL.has(reason)) return {};
  const what = IMAGE_TROUBLES.has(reason)
    ? `The crawler image ${pod.spec?.containers[0]?.image ?? ''} cannot be loaded`
    : 'The crawler cannot be started';
  return { trouble: `${what} (${reason}): ${sentence(message)}` };
}

/** Whether a pod was asked to end and its time for that is over. Its node is gone then and cannot report the end. */
function isLost({ metadata, status }: V1Pod, now: Date): boolean {
  if (status?.reason === 'NodeLost') return true;
  // For a pod that is being deleted this is the end of its grace.
  const end = metadata?.deletionTimestamp;
  return end !== undefined && now.getTime() - new Date(end).getTime() > LOST_AFTER_MS;
}

function time<K extends 'startedAt' | 'exitedAt'>(key: K, at: Date | undefined): { [P in K]?: Date } {
  return (at ? { [key]: new Date(at) } : {}) as { [P in K]?: Date };
}
