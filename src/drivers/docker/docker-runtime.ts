import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import { indexOf, instanceName } from '../../../formats/redis-keys/run-keys.js';
import { ContainerRuntime, type ContainerState, type Growth } from '../containers/container-runtime.js';
import { HEALTH_PORT, SCREENCAST_PORT, STOP_GRACE_SECONDS, type InstancePlan } from '../containers/instance-plan.js';
import type { JobId } from '../crawl-driver.types.js';
import { containerState } from './container-state.js';
import { containerOptions, RUN_LABEL, type DockerSettings } from './container-options.js';
import { addressOf, ignore, type DockerClient } from './docker-client.js';

const WORKERS_LABEL = 'net.muniment.workers';
const SECOND_NANOS = 1e9;

/** Runs crawlers as containers of one Docker engine. The driver finds them again by their labels. */
export class DockerRuntime extends ContainerRuntime {
  override readonly kind = 'docker';

  constructor(
    private readonly client: DockerClient,
    private readonly settings: DockerSettings,
  ) {
    super();
  }

  override async containers(jobId: JobId): Promise<ContainerState[]> {
    const states = await Promise.all(
      (await this.instancesOf(jobId)).map(async ({ id, index }) => {
        const info = await this.client.inspect(id);
        return info && containerState(index, info.State, workersOf(info.Config.Labels));
      }),
    );
    return states.filter((state) => state !== null);
  }

  override async create(plan: InstancePlan): Promise<void> {
    const container = await this.client.create(plan, this.options(plan));
    await this.client.asked(() => container.putArchive(archiveOf(plan.files), { path: '/' }));
    await this.client.start(container);
  }

  override async configure({ name, files }: InstancePlan): Promise<void> {
    const container = this.client.docker.getContainer(name);
    await this.client.asked(() => ignore(container.putArchive(archiveOf(files), { path: '/' }), 404));
  }

  override async stop(jobId: JobId, index: number): Promise<void> {
    const container = this.client.docker.getContainer(instanceName(jobId, index));
    // 409: the container no longer runs.
    await this.client.asked(() => ignore(container.kill({ signal: 'SIGTERM' }), 404, 409));
  }

  /** Docker's volumes have no size of their own, so they never grow. */
  override growScratch(): Promise<Growth> {
    return Promise.resolve({ grown: false });
  }

  override async removeContainer(jobId: JobId, index: number): Promise<void> {
    await this.client.remove(instanceName(jobId, index));
  }

  override async removeInstances(jobId: JobId): Promise<void> {
    await Promise.all((await this.instancesOf(jobId)).map(({ id }) => this.client.remove(id)));
    for (const { Name } of await this.client.volumesLabelled(`${RUN_LABEL}=${jobId}`))
      if (indexOf(jobId, Name) !== null) await this.client.removeVolume(Name);
  }

  override async removeRun(jobId: JobId): Promise<void> {
    const label = `${RUN_LABEL}=${jobId}`;
    await Promise.all((await this.client.labelled(label)).map(({ Id }) => this.client.remove(Id)));
    for (const { Name } of await this.client.volumesLabelled(label)) await this.client.removeVolume(Name);
  }

  override async runs(): Promise<JobId[]> {
    const owned = [...(await this.client.labelled(RUN_LABEL)), ...(await this.client.volumesLabelled(RUN_LABEL))];
    return [...new Set(owned.map((each) => each.Labels?.[RUN_LABEL]).filter((id) => id !== undefined))];
  }

  override async screencastUrl(jobId: JobId, index: number): Promise<string | null> {
    const info = await this.client.inspect(instanceName(jobId, index));
    const address = info && addressOf(info);
    return address ? `ws://${address}:${String(SCREENCAST_PORT)}/ws` : null;
  }

  override async ping(): Promise<void> {
    await this.client.asked(() => this.client.docker.ping());
  }

  private async instancesOf(jobId: JobId): Promise<{ id: string; index: number }[]> {
    const found = await this.client.labelled(`${RUN_LABEL}=${jobId}`);
    return found.flatMap(({ Id, Names }) => {
      const index = indexOf(jobId, (Names[0] ?? '').replace(/^\//, ''));
      return index === null ? [] : [{ id: Id, index }];
    });
  }

  private options(plan: InstancePlan): Docker.ContainerCreateOptions {
    const needs = {
      labels: { [RUN_LABEL]: plan.jobId, [WORKERS_LABEL]: String(plan.workers) },
      restart: 'on-failure',
      hasBrowser: true,
      keeps: plan.persistent ? '/crawls' : undefined,
    } as const;
    return {
      ...containerOptions(plan, needs, this.settings),
      StopTimeout: STOP_GRACE_SECONDS,
      Healthcheck: {
        Test: ['CMD', 'curl', '-sf', `http://127.0.0.1:${String(HEALTH_PORT)}/healthz`],
        StartPeriod: 15 * SECOND_NANOS,
        Interval: 120 * SECOND_NANOS,
        Retries: 3,
      },
    };
  }
}

const workersOf = (labels: Record<string, string>): number => Number(labels[WORKERS_LABEL] ?? 1);

/**
 * The config files as the archive that the engine takes. They cannot be made readable for the crawler's own user alone.
 */
function archiveOf(files: Record<string, string>): NodeJS.ReadableStream {
  const archive = pack();
  for (const [path, content] of Object.entries(files)) archive.entry({ name: path.slice(1), mode: 0o644 }, content);
  archive.finalize();
  return Readable.from(archive);
}
