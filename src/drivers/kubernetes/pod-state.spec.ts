import type { V1ContainerStatus, V1Pod, V1PodStatus } from '@kubernetes/client-node';
import { innerHostOf, podState } from './pod-state.js';

const NOW = new Date('2026-01-01T12:00:00Z');
const STARTED = new Date('2026-01-01T11:00:00Z');
const FINISHED = new Date('2026-01-01T11:30:00Z');

function pod(status: V1PodStatus, metadata: V1Pod['metadata'] = {}): V1Pod {
  return {
    metadata: { name: 'crawl-job-1', labels: { 'muniment.net/workers': '3' }, ...metadata },
    spec: { nodeName: 'node-a', containers: [{ name: 'crawler', image: 'registry/crawler:1' }] },
    status,
  };
}

function container(changes: Partial<V1ContainerStatus>): V1ContainerStatus[] {
  return [{ name: 'crawler', image: '', imageID: '', ready: false, restartCount: 0, ...changes }];
}

const ended = (exitCode: number, reason = 'Error') => ({
  terminated: { exitCode, reason, startedAt: STARTED, finishedAt: FINISHED },
});
const read = (status: V1PodStatus, metadata?: V1Pod['metadata']) => podState('job', pod(status, metadata), NOW);

describe('the state of a pod', () => {
  it('is nothing for a pod that is no instance of the job', () => {
    expect(podState('other', pod({}), NOW)).toBeNull();
  });

  it('waits while it is placed and its container is made', () => {
    expect(read({ phase: 'Pending' })).toEqual({ index: 1, workers: 3, phase: 'waiting' });
    const containerStatuses = container({ state: { waiting: { reason: 'ContainerCreating' } } });
    expect(read({ phase: 'Pending', containerStatuses })).toEqual({ index: 1, workers: 3, phase: 'waiting' });
  });

  it('tells that no node has room', () => {
    const message = '0/3 nodes are available: 3 Insufficient memory.';
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
    expect(read({ phase: 'Pending', conditions })).toMatchObject({
      phase: 'waiting',
      trouble: `No node of the cluster has room for the crawler: ${message}`,
    });
  });

  it.each(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName'])(
    'tells that the image is not there: %s',
    (reason) => {
      const containerStatuses = container({ state: { waiting: { reason, message: 'manifest unknown' } } });
      expect(read({ phase: 'Pending', containerStatuses })).toMatchObject({
        phase: 'waiting',
        trouble: `The crawler image registry/crawler:1 cannot be loaded (${reason}): manifest unknown.`,
      });
    },
  );

  it('tells what else keeps a container from starting', () => {
    const waiting = { reason: 'CreateContainerConfigError', message: 'secret "proxies" not found' };
    expect(read({ phase: 'Pending', containerStatuses: container({ state: { waiting } }) })?.trouble).toBe(
      'The crawler cannot be started (CreateContainerConfigError): secret "proxies" not found.',
    );
  });

  it('runs, whatever it was before', () => {
    const state = { running: { startedAt: STARTED } };
    expect(read({ phase: 'Running', containerStatuses: container({ state, lastState: ended(137) }) })).toEqual({
      index: 1,
      workers: 3,
      phase: 'running',
      startedAt: STARTED,
    });
  });

  it('is between two starts after a crash', () => {
    const waiting = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended(9) };
    const expected = { phase: 'backoff', startedAt: STARTED, exitedAt: FINISHED, exitCode: 9 };
    expect(read({ phase: 'Running', containerStatuses: container(waiting) })).toMatchObject(expected);
    expect(read({ phase: 'Running', containerStatuses: container({ state: ended(9) }) })).toMatchObject(expected);
  });

  it('names the lack of memory', () => {
    const containerStatuses = container({ state: ended(137, 'OOMKilled') });
    const seen = read({ phase: 'Running', containerStatuses });
    expect(seen).toMatchObject({ phase: 'backoff', exitCode: 137, oom: true });
    expect(seen?.trouble).toMatch(/more memory than it may have/);
  });

  it('is over with exit code 0, also before the pod says so', () => {
    const containerStatuses = container({ state: ended(0, 'Completed') });
    for (const phase of ['Succeeded', 'Running'])
      expect(read({ phase, containerStatuses })).toMatchObject({ phase: 'exited', exitCode: 0, exitedAt: FINISHED });
  });

  it('is over when we stopped it, with the code that it left', () => {
    const containerStatuses = container({ state: ended(11) });
    const seen = read({ phase: 'Failed', reason: 'DeadlineExceeded', containerStatuses });
    expect(seen).toMatchObject({ phase: 'exited', exitCode: 11, startedAt: STARTED });
    expect(seen?.trouble).toBeUndefined();
  });

  it('was evicted by its node, and says why', () => {
    const message = 'The node was low on resource: memory.';
    const seen = read({
      phase: 'Failed',
      reason: 'Evicted',
      message,
      containerStatuses: container({ state: ended(137) }),
    });
    expect(seen).toMatchObject({ phase: 'evicted', startedAt: STARTED, exitedAt: FINISHED });
    expect(seen?.trouble).toBe(`The cluster took the crawler off its node (Evicted): ${message} It is started again.`);
  });

  it.each(['PreemptionByScheduler', 'DeletionByTaintManager', 'TerminationByKubelet'])(
    'was disrupted: %s',
    (reason) => {
      const conditions = [{ type: 'DisruptionTarget', status: 'True', reason, message: 'for another pod' }];
      const seen = read({ phase: 'Failed', conditions });
      expect(seen?.phase).toBe('evicted');
      expect(seen?.trouble).toContain(reason);
    },
  );

  it('was refused by its node', () => {
    expect(read({ phase: 'Failed', reason: 'OutOfmemory', message: 'not enough' })?.phase).toBe('evicted');
  });

  it('still runs while it is given time to end', () => {
    const deletionTimestamp = new Date(NOW.getTime() + 500_000);
    const state = { running: { startedAt: STARTED } };
    expect(
      read({ phase: 'Running', containerStatuses: container({ state }) }, { name: 'crawl-job-1', deletionTimestamp })
        ?.phase,
    ).toBe('running');
  });

  it('is not lost yet for a clock that is five minutes fast', () => {
    const deletionTimestamp = new Date(NOW.getTime() - 300_000);
    const state = { running: { startedAt: STARTED } };
    const seen = read(
      { phase: 'Running', containerStatuses: container({ state }) },
      { name: 'crawl-job-1', deletionTimestamp },
    );
    expect(seen?.phase).toBe('running');
  });

  it('is lost with its node when nobody confirms its end', () => {
    const deletionTimestamp = new Date(NOW.getTime() - 361_000);
    const state = { running: { startedAt: STARTED } };
    const seen = read(
      { phase: 'Running', containerStatuses: container({ state }) },
      { name: 'crawl-job-1', deletionTimestamp },
    );
    expect(seen).toMatchObject({ phase: 'evicted', startedAt: STARTED });
    expect(seen?.trouble).toMatch(/node node-a .* does not answer/);
    expect(read({ phase: 'Running', reason: 'NodeLost' })?.phase).toBe('evicted');
  });
});

it('names a pod as the others of its cluster know it', () => {
  const spec = { hostname: 'redis-job', subdomain: 'redis', containers: [] };
  expect(innerHostOf({ spec }, '.crawlers.svc.cluster.local')).toBe('redis-job.redis.crawlers.svc.cluster.local');
});
