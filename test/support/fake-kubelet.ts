import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  CoreV1Api,
  V1ContainerState,
  V1ContainerStateTerminated,
  V1Pod,
  V1PodStatus,
  Watch,
} from '@kubernetes/client-node';
import { containerNet } from './free-port.js';
import { preparePod } from './pod-files.js';

export interface KubeletOptions {
  namespace: string;
  /** What runs in place of the image: a program and its first arguments; what follows `crawl` or `qa` is kept. */
  program: readonly string[];
  env?: Record<string, string>;
}

interface Run {
  pod: V1Pod;
  root: string;
  address: string;
  process: ChildProcess | null;
  timer: NodeJS.Timeout | null;
  restarts: number;
  startedAt: Date | null;
  last: V1ContainerStateTerminated | null;
  /** How its next end is to be told. */
  ending: 'crash' | 'oom' | 'evicted' | 'deadline' | 'deleted';
  status: V1PodStatus;
  telling: Promise<void>;
}

const RESTART_MS = 200;
/** Long enough to be seen. */
const RESTART_AFTER_OOM_MS = 4_000;
const RETRY_MS = 200;

/**
 * Scheduler and kubelet of one namespace: binds pods, runs each as a process, and reports as a kubelet does: starts,
 * restarts, ends, lack of memory, eviction, deadlines, deletion with its grace. Volumes are folders; paths below /tmp
 * lead into the pod's own, /crawls by a variable.
 */
export class FakeKubelet {
  private readonly runs = new Map<string, Run>();
  private readonly abort = new AbortController();
  private made = 0;
  private readonly net = containerNet();
  private hasRoom = true;
  private hasImages = true;

  private constructor(
    private readonly core: CoreV1Api,
    private readonly watch: Watch,
    private readonly options: KubeletOptions,
    private readonly root: string,
  ) {}

  static async start(
    { core, watch }: { core: CoreV1Api; watch: Watch },
    options: KubeletOptions,
  ): Promise<FakeKubelet> {
    const kubelet = new FakeKubelet(core, watch, options, await mkdtemp(join(tmpdir(), 'kubelet-')));
    void kubelet.follow();
    return kubelet;
  }

  /** From now on pods find no node; those that run go on. */
  fill(): void {
    this.hasRoom = false;
  }

  /** Nodes join: what waited is placed. */
  async makeRoom(): Promise<void> {
    this.hasRoom = true;
    await this.lookAtAll();
  }

  /** From now on no image is there, nor can be pulled. */
  forgetImages(): void {
    this.hasImages = false;
  }

  /** Ends a pod's process as the kernel would, for lack of memory. */
  killForMemory(name: string): void {
    this.endAs(name, 'oom');
  }

  evict(name: string): void {
    this.endAs(name, 'evicted');
  }

  async close(): Promise<void> {
    this.abort.abort();
    for (const run of this.runs.values()) this.discard(run);
    await Promise.all([...this.runs.values()].map(({ telling }) => telling));
    await rm(this.root, { recursive: true, force: true, maxRetries: 10 });
  }

  // ---- the API server

  private async follow(): Promise<void> {
    const { namespace } = this.options;
    while (!this.abort.signal.aborted) {
      try {
        const resourceVersion = await this.lookAtAll();
        await new Promise<void>((resolve, reject) => {
          this.watch
            .watch(
              `/api/v1/namespaces/${namespace}/pods`,
              { resourceVersion },
              (type: string, pod: V1Pod) => this.heard(type, pod),
              () => resolve(),
            )
            .then((watching) => this.abort.signal.addEventListener('abort', () => watching.abort(), { once: true }))
            .catch(reject);
        });
      } catch {
        // The API server is away.
      }
      if (!this.abort.signal.aborted) await sleep(RETRY_MS);
    }
  }

  /** What a kubelet does after it was cut off: compares all that is with all that it runs. */
  private async lookAtAll(): Promise<string> {
    const { items, metadata } = await this.core.listNamespacedPod({ namespace: this.options.namespace });
    const uids = new Set(items.map((pod) => pod.metadata?.uid));
    for (const [uid, run] of this.runs) if (!uids.has(uid)) this.discard(run);
    for (const pod of items) this.heard('MODIFIED', pod);
    return metadata?.resourceVersion ?? '';
  }

  private heard(type: string, pod: V1Pod): void {
    const run = this.runs.get(uidOf(pod));
    if (type === 'DELETED') return run && this.discard(run);
    if (type !== 'ADDED' && type !== 'MODIFIED') return;
    if (run) run.pod = pod;
    if (isOver(pod)) return;
    if (pod.metadata?.deletionTimestamp) return run?.process ? this.ask(run, 'deleted') : void this.confirmGone(pod);
    if (pod.spec?.activeDeadlineSeconds !== undefined && run?.process) return this.ask(run, 'deadline');
    if (pod.spec?.activeDeadlineSeconds !== undefined && run?.timer) return this.startNoMore(run);
    if (!pod.spec?.nodeName) return void this.place(pod);
    if (!run) void this.start(pod);
  }

  private async place(pod: V1Pod): Promise<void> {
    const { namespace } = this.options;
    const name = nameOf(pod);
    const target = { apiVersion: 'v1', kind: 'Node', name: 'node-a' };
    if (this.hasRoom) {
      await this.core
        .createNamespacedPodBinding({ namespace, name, body: { metadata: { name }, target } })
        .catch(() => undefined);
      return;
    }
    if (pod.status?.conditions?.some(({ reason }) => reason === 'Unschedulable')) return;
    const message = '0/1 nodes are available: 1 Insufficient memory.';
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
    await this.write(name, { ...pod.status, conditions }).catch(() => undefined);
  }

  private confirmGone(pod: V1Pod): Promise<unknown> {
    const body = { gracePeriodSeconds: 0, preconditions: { uid: uidOf(pod) } };
    return this.core
      .deleteNamespacedPod({ namespace: this.options.namespace, name: nameOf(pod), body })
      .catch(() => undefined);
  }

  /** In order, and until the API server has it or has forgotten the pod. */
  private tell(run: Run, state: V1ContainerState, changes: V1PodStatus = {}): void {
    run.status = this.statusOf(run, state, changes);
    const { status } = run;
    run.telling = run.telling.then(async () => {
      while (run.status === status && !this.abort.signal.aborted) {
        try {
          return await this.write(nameOf(run.pod), status);
        } catch (error) {
          if ((error as { code?: number }).code === 404) return;
          await sleep(RETRY_MS);
        }
      }
    });
  }

  private async write(name: string, value: V1PodStatus): Promise<void> {
    const body = [{ op: 'add', path: '/status', value }];
    await this.core.patchNamespacedPodStatus({ namespace: this.options.namespace, name, body });
  }

  private statusOf(run: Run, state: V1ContainerState, changes: V1PodStatus): V1PodStatus {
    const image = run.pod.spec?.containers[0]?.image ?? '';
    return {
      phase: 'Running',
      hostIP: '127.0.0.1',
      podIP: run.address,
      podIPs: [{ ip: run.address }],
      ...(run.startedAt ? { startTime: run.startedAt } : {}),
      conditions: [{ type: 'PodScheduled', status: 'True' }],
      containerStatuses: [
        {
          name: run.pod.spec?.containers[0]?.name ?? '',
          image,
          imageID: image,
          ready: state.running !== undefined,
          restartCount: run.restarts,
          state,
          ...(run.last && !state.terminated ? { lastState: { terminated: run.last } } : {}),
        },
      ],
      ...changes,
    };
  }

  // ---- processes

  private async start(pod: V1Pod): Promise<void> {
    const uid = uidOf(pod);
    this.made += 1;
    const run: Run = {
      pod,
      root: join(this.root, 'pods', uid),
      address: `${this.net}.${String(1 + (this.made % 254))}`,
      process: null,
      timer: null,
      restarts: 0,
      startedAt: null,
      last: null,
      ending: 'crash',
      status: {},
      telling: Promise.resolve(),
    };
    this.runs.set(uid, run);
    if (!this.hasImages) {
      const image = pod.spec?.containers[0]?.image ?? '';
      const waiting = { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` };
      return this.tell(run, { waiting }, { phase: 'Pending' });
    }
    await this.launch(run);
  }

  /** Each start finds the config of now, as mounted volumes show it. */
  private async launch(run: Run): Promise<void> {
    try {
      const { args, env } = await preparePod(this.core, run.pod, {
        pod: run.root,
        volumes: join(this.root, 'volumes'),
      });
      this.spawn(run, args, env);
    } catch (error) {
      const waiting = { reason: 'CreateContainerConfigError', message: (error as Error).message };
      this.tell(run, { waiting }, { phase: 'Pending' });
    }
  }

  private spawn(run: Run, args: string[], env: Record<string, string>): void {
    if (this.runs.get(uidOf(run.pod)) !== run) return;
    const [program = '', ...first] = this.options.program;
    const child = spawn(program, [...first, ...args], {
      env: {
        PATH: process.env['PATH'],
        ...env,
        HOSTNAME: run.pod.spec?.hostname ?? nameOf(run.pod),
        BIND_HOST: run.address,
        ...this.options.env,
      },
      stdio: ['ignore', 'ignore', process.env['KUBELET_LOG'] ? 'inherit' : 'ignore'],
      detached: true,
    });
    run.process = child;
    run.startedAt = new Date();
    run.ending = 'crash';
    this.tell(run, { running: { startedAt: run.startedAt } });
    child.once('exit', (code, signal) => {
      if (child.pid !== undefined) killGroup(child.pid);
      run.process = null;
      this.ended(run, code ?? (signal === 'SIGKILL' ? 137 : 143), () => void this.launch(run));
    });
  }

  private ended(run: Run, exitCode: number, again: () => void): void {
    if (this.runs.get(uidOf(run.pod)) !== run) return;
    const reason = run.ending === 'oom' ? 'OOMKilled' : exitCode === 0 ? 'Completed' : 'Error';
    run.last = { exitCode, reason, ...(run.startedAt ? { startedAt: run.startedAt } : {}), finishedAt: new Date() };
    const terminated = run.last;
    switch (run.ending) {
      case 'evicted':
        return this.tell(run, { terminated }, { phase: 'Failed', reason: 'Evicted', message: LOW_ON_MEMORY });
      case 'deadline':
        return this.tell(run, { terminated }, { phase: 'Failed', reason: 'DeadlineExceeded' });
      case 'deleted':
        this.tell(run, { terminated });
        void run.telling.then(() => this.confirmGone(run.pod));
        return;
      default:
        if (exitCode === 0) return this.tell(run, { terminated }, { phase: 'Succeeded' });
        this.tell(run, { waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' } });
        run.restarts += 1;
        run.timer = setTimeout(
          () => {
            run.timer = null;
            again();
          },
          run.ending === 'oom' ? RESTART_AFTER_OOM_MS : RESTART_MS,
        );
    }
  }

  /** SIGTERM, once; the grace of these pods is longer than any test. */
  private ask(run: Run, ending: 'deleted' | 'deadline'): void {
    if (run.ending === ending) return;
    run.ending = ending;
    const grace = run.pod.metadata?.deletionGracePeriodSeconds;
    run.process?.kill(ending === 'deleted' && grace !== undefined && grace <= 1 ? 'SIGKILL' : 'SIGTERM');
  }

  /** Its deadline came between two starts. */
  private startNoMore(run: Run): void {
    if (run.timer) clearTimeout(run.timer);
    run.timer = null;
    this.tell(run, run.last ? { terminated: run.last } : {}, { phase: 'Failed', reason: 'DeadlineExceeded' });
  }

  private endAs(name: string, ending: 'oom' | 'evicted'): void {
    const run = [...this.runs.values()].find(({ pod }) => nameOf(pod) === name);
    if (!run?.process) throw new Error(`${name} does not run`);
    run.ending = ending;
    run.process.kill('SIGKILL');
  }

  private discard(run: Run): void {
    this.runs.delete(uidOf(run.pod));
    if (run.timer) clearTimeout(run.timer);
    if (run.process?.pid !== undefined) killGroup(run.process.pid);
  }
}

const LOW_ON_MEMORY = 'The node was low on resource: memory.';

const nameOf = ({ metadata }: V1Pod): string => metadata?.name ?? '';
const uidOf = ({ metadata }: V1Pod): string => metadata?.uid ?? '';
const isOver = ({ status, metadata }: V1Pod): boolean =>
  (status?.phase === 'Succeeded' || status?.phase === 'Failed') && !metadata?.deletionTimestamp;

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
