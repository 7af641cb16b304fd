import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from './cluster.js';
import { PodWatch } from './pod-watch.js';

/** An API server that says what the test lets it say. */
class ScriptedCluster {
  lists = 0;
  watches = 0;
  pods: V1Pod[] = [];
  mayWatch = true;
  tell: (type: string, pod: V1Pod) => void = () => undefined;
  end: () => void = () => undefined;

  readonly cluster = {
    core: {
      listNamespacedPod: () => {
        this.lists += 1;
        return Promise.resolve({ items: this.pods, metadata: { resourceVersion: '7' } });
      },
    },
    watch: {
      watch: (_path: string, _query: unknown, tell: ScriptedCluster['tell'], end: () => void) => {
        this.watches += 1;
        if (!this.mayWatch) return Promise.reject(new Error('forbidden'));
        [this.tell, this.end] = [tell, end];
        return Promise.resolve(new AbortController());
      },
    },
  } as unknown as Cluster;
}

const pod = (name: string, uid: string, jobId = 'job'): V1Pod => ({
  metadata: { name, uid, labels: { 'muniment.net/job': jobId } },
});

describe('the watch over pods', () => {
  let server: ScriptedCluster;
  let now: number;
  let watch: PodWatch;

  beforeEach(() => {
    server = new ScriptedCluster();
    now = Date.parse('2026-01-01T00:00:00Z');
    watch = new PodWatch('crawlers', { now: () => new Date(now) });
  });

  const names = (jobId = 'job') => watch.podsOf(jobId, server.cluster)?.map(({ metadata }) => metadata?.name);

  /** Lets the watch open: everything that the server says here is said at once. */
  async function open(): Promise<void> {
    expect(names()).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('knows nothing until it is open; then it answers without asking', async () => {
    server.pods = [pod('a', '1'), pod('b', '2', 'other')];
    await open();
    for (let i = 0; i < 1000; i += 1) expect(names()).toEqual(['a']);
    expect(names('other')).toEqual(['b']);
    expect([server.lists, server.watches]).toEqual([1, 1]);
  });

  it('follows what happens to pods', async () => {
    await open();
    server.tell('ADDED', pod('a', '1'));
    expect(names()).toEqual(['a']);
    server.tell('DELETED', pod('a', '1'));
    expect(names()).toEqual([]);
  });

  it('sees what was done here at once, and no more of what was removed here', async () => {
    await open();
    const first = pod('a', '1');
    watch.put(first);
    expect(names()).toEqual(['a']);
    watch.forget(first);
    expect(names()).toEqual([]);
    // This process removed the pod after the server sent the event, so the event is outdated.
    server.tell('MODIFIED', first);
    expect(names()).toEqual([]);
    watch.put(pod('a', '2'));
    server.tell('DELETED', first);
    expect(names()).toEqual(['a']);
  });

  it.each([
    ['its connection ended', () => server.end()],
    ['the server says that it is too old', () => server.tell('ERROR', {})],
    ['it is silent for too long', () => (now += 120_000)],
  ])('trusts itself no more when %s, and opens anew', async (_when, happen) => {
    await open();
    happen();
    await open();
    expect(names()).toEqual([]);
    expect(server.watches).toBe(2);
  });

  it('is kept by bookmarks, and lists everything again from time to time', async () => {
    await open();
    for (let minute = 1; minute < 10; minute += 1) {
      now += 60_000;
      server.tell('BOOKMARK', {});
      expect(names()).toEqual([]);
    }
    now += 60_000;
    server.tell('BOOKMARK', {});
    await open();
    expect(server.lists).toBe(2);
  });

  it('does not press a server that gives no watch', async () => {
    server.mayWatch = false;
    await open();
    await open();
    expect(server.watches).toBe(1);
    now += 5_000;
    server.mayWatch = true;
    await open();
    expect(names()).toEqual([]);
  });

  it('opens nothing after it was closed', async () => {
    await open();
    watch.close();
    await open();
    expect(server.watches).toBe(1);
  });
});
