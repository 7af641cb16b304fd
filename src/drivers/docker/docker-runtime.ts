import { indexOf, instanceName } from '../../../crawler/names.js';
import { Readable } from 'node:stream';
import Docker from 'dockerode';
import { pack } from 'tar-stream';
import { ContainerRuntime, EngineUnavailable, type ContainerState } from '../containers/container-runtime.js';
import { HEALTH_PORT, SCREENCAST_PORT, STOP_GRACE_SECONDS, type InstancePlan } from '../containers/instance-plan.js';
import type { JobId } from '../crawl-driver.types.js';
import { containerState } from './container-state.js';

export interface DockerSettings {
  /** `unix:///path`, `tcp://host:port` or `http(s)://host:port`; empty: the local socket. */
  engine: string;
  /** Network from which the crawlers reach Redis, the object store and the web; empty: the engine's default. */
  network: string;
}

const JOB_LABEL = 'net.muniment.job';
const WORKERS_LABEL = 'net.muniment.workers';
const NANOS_PER_MILLI = 1e6;
const SECOND_NANOS = 1e9;

/** Crawlers as containers of one Docker engine, found again by their labels. */
export class DockerRuntime extends ContainerRuntime {
  override readonly kind = 'docker';
  private readonly docker: Docker;
  private readonly pulls = new Map<string, Promise<void>>();

  constructor(private readonly settings: DockerSettings) {
    super();
    this.docker = new Docker(connection(settings.engine));
  }

  override async containers(jobId: JobId): Promise<ContainerState[]> {
    const found = await this.asked(() =>
      this.docker.listContainers({ all: true, filters: { label: [`${JOB_LABEL}=${jobId}`] } }),
    );
    const states = await Promise.all(
      found.map(async ({ Id, Names }) => {
        const index = indexOf(jobId, (Names[0] ?? '').replace(/^\//, ''));
        const info = index === null ? null : await this.inspect(Id);
        return info && index !== null ? containerState(index, info.State, workersOf(info.Config.Labels)) : null;
      }),
    );
    return states.filter((state) => state !== null);
  }

  override async create(plan: InstancePlan): Promise<void> {
    await this.pull(plan);
    const container = await this.asked(async () => {
      try {
        return await this.docker.createContainer(this.options(plan));
      } catch (error) {
        // Another process was first, or an earlier call ended between create and start.
        if (statusOf(error) === 409) return this.docker.getContainer(plan.name);
        throw error;
      }
    });
    await this.asked(() => container.putArchive(archiveOf(plan.files), { path: '/' }));
    await this.asked(() => ignore(container.start(), 304));
  }

  override async configure({ name, files }: InstancePlan): Promise<void> {
    const container = this.docker.getContainer(name);
    await this.asked(() => ignore(container.putArchive(archiveOf(files), { path: '/' }), 404));
  }

  override async stop(jobId: JobId, index: number): Promise<void> {
    const container = this.docker.getContainer(instanceName(jobId, index));
    // 409: it does not run any more.
    await this.asked(() => ignore(container.kill({ signal: 'SIGTERM' }), 404, 409));
  }

  override async removeContainer(jobId: JobId, index: number): Promise<void> {
    await this.remove(instanceName(jobId, index));
  }

  override async removeJob(jobId: JobId): Promise<void> {
    const filters = { label: [`${JOB_LABEL}=${jobId}`] };
    const found = await this.asked(() => this.docker.listContainers({ all: true, filters }));
    await Promise.all(found.map(({ Id }) => this.remove(Id)));
    const { Volumes } = await this.asked(() => this.docker.listVolumes({ filters: JSON.stringify(filters) as never }));
    for (const { Name } of Volumes ?? []) {
      await this.asked(() => ignore(this.docker.getVolume(Name).remove(), 404));
    }
  }

  override async jobs(): Promise<JobId[]> {
    const filters = { label: [JOB_LABEL] };
    const found = await this.asked(() => this.docker.listContainers({ all: true, filters }));
    const volumes = await this.asked(() => this.docker.listVolumes({ filters: JSON.stringify(filters) as never }));
    const labels = [...found, ...(volumes.Volumes ?? [])].map((each) => each.Labels?.[JOB_LABEL]);
    return [...new Set(labels.filter((id) => id !== undefined))];
  }

  override async screencastUrl(jobId: JobId, index: number): Promise<string | null> {
    const info = await this.inspect(instanceName(jobId, index));
    if (!info?.State.Running) return null;
    const networks = Object.values(info.NetworkSettings.Networks);
    const address = networks.find(({ IPAddress }) => IPAddress)?.IPAddress;
    return address ? `ws://${address}:${String(SCREENCAST_PORT)}/ws` : null;
  }

  override async ping(): Promise<void> {
    await this.asked(() => this.docker.ping());
  }

  // ---- details

  private options({ name, jobId, image, command, env, workers, cpuMillis, memoryBytes, persistent }: InstancePlan) {
    const labels = { [JOB_LABEL]: jobId, [WORKERS_LABEL]: String(workers) };
    const options: Docker.ContainerCreateOptions = {
      name,
      Hostname: name,
      Image: image,
      Cmd: command,
      Env: Object.entries({ ...env, HOSTNAME: name }).map(([key, value]) => `${key}=${value}`),
      Labels: labels,
      StopTimeout: STOP_GRACE_SECONDS,
      Healthcheck: {
        Test: ['CMD', 'curl', '-sf', `http://127.0.0.1:${String(HEALTH_PORT)}/healthz`],
        StartPeriod: 15 * SECOND_NANOS,
        Interval: 120 * SECOND_NANOS,
        Retries: 3,
      },
      HostConfig: {
        RestartPolicy: { Name: 'on-failure' },
        Init: true,
        NanoCpus: cpuMillis * NANOS_PER_MILLI,
        Memory: memoryBytes,
        ShmSize: 1024 ** 3,
        SecurityOpt: ['no-new-privileges'],
        ...(this.settings.network ? { NetworkMode: this.settings.network } : {}),
        ...(persistent
          ? { Mounts: [{ Type: 'volume', Source: name, Target: '/crawls', VolumeOptions: volumeOptions(labels) }] }
          : {}),
      },
    };
    return options;
  }

  /** One pull of an image at a time, however many jobs wait for it. */
  private async pull({ image, imagePullPolicy }: InstancePlan): Promise<void> {
    if (imagePullPolicy === 'Never') return;
    if (imagePullPolicy !== 'Always' && (await this.asked(() => ignore(this.docker.getImage(image).inspect(), 404))))
      return;
    const pulling = this.pulls.get(image) ?? this.pullNow(image).finally(() => this.pulls.delete(image));
    this.pulls.set(image, pulling);
    await pulling;
  }

  private async pullNow(image: string): Promise<void> {
    const progress = await this.asked(() => this.docker.pull(image));
    await new Promise<void>((resolve, reject) => {
      this.docker.modem.followProgress(progress, (error) => (error ? reject(error) : resolve()));
    });
  }

  private async remove(name: string): Promise<void> {
    await this.asked(() => ignore(this.docker.getContainer(name).remove({ force: true }), 404, 409));
  }

  private async inspect(name: string): Promise<Docker.ContainerInspectInfo | null> {
    return (await this.asked(() => ignore(this.docker.getContainer(name).inspect(), 404))) ?? null;
  }

  /** @throws EngineUnavailable with what the engine said */
  private async asked<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw new EngineUnavailable(`Docker: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
}

function connection(engine: string): Docker.DockerOptions {
  if (engine === '') return {};
  const url = new URL(engine);
  if (url.protocol === 'unix:') return { socketPath: url.pathname };
  const protocol = url.protocol === 'https:' ? 'https' : 'http';
  return { protocol, host: url.hostname, port: Number(url.port || 2375) };
}

function volumeOptions(labels: Record<string, string>): Docker.MountSettings['VolumeOptions'] {
  return { NoCopy: false, Labels: labels, DriverConfig: { Name: 'local', Options: {} } };
}

const workersOf = (labels: Record<string, string>): number => Number(labels[WORKERS_LABEL] ?? 1);

/** The config files as the engine takes them: readable by the crawler's own user alone is not possible here. */
function archiveOf(files: Record<string, string>): NodeJS.ReadableStream {
  const archive = pack();
  for (const [path, content] of Object.entries(files)) archive.entry({ name: path.slice(1), mode: 0o644 }, content);
  archive.finalize();
  return Readable.from(archive);
}

const statusOf = (error: unknown): number | undefined => (error as { statusCode?: number }).statusCode;

/** Undefined where the engine answers with one of these codes. */
async function ignore<T>(answer: Promise<T>, ...codes: number[]): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (codes.includes(statusOf(error) ?? 0)) return undefined;
    throw error;
  }
}
