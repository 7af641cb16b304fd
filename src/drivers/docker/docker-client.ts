import Docker from 'dockerode';
import { EngineUnavailable } from '../containers/container-runtime.js';

/** Calls one Docker engine for the drivers. */
export class DockerClient {
  readonly docker: Docker;
  private readonly pulls = new Map<string, Promise<void>>();

  /** @param engine `unix:///path`, `tcp://host:port` or `http(s)://host:port`; empty: the local socket */
  constructor(engine: string) {
    this.docker = new Docker(connection(engine));
  }

  /**
   * Calls the engine.
   * @param trouble goes before what the engine says, where that does not name what is wrong
   * @throws EngineUnavailable with what the engine said
   */
  async asked<T>(act: () => Promise<T>, trouble = ''): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      throw new EngineUnavailable(`Docker: ${trouble}${said}`, { cause: error });
    }
  }

  /** Creates a container, or returns the one of that name, which another process or an earlier call has created. */
  async create(image: { image: string; imagePullPolicy: string }, options: Docker.ContainerCreateOptions) {
    await this.pull(image);
    return this.asked(async () => {
      try {
        return await this.docker.createContainer(options);
      } catch (error) {
        if (statusOf(error) === 409) return this.docker.getContainer(options.name ?? '');
        throw error;
      }
    });
  }

  async start(container: Docker.Container): Promise<void> {
    await this.asked(() => ignore(container.start(), 304));
  }

  async inspect(name: string): Promise<Docker.ContainerInspectInfo | null> {
    return (await this.asked(() => ignore(this.docker.getContainer(name).inspect(), 404))) ?? null;
  }

  /** Containers with all of these labels, also those that do not run. */
  async labelled(...label: string[]): Promise<Docker.ContainerInfo[]> {
    return this.asked(() => this.docker.listContainers({ all: true, filters: { label } }));
  }

  async volumesLabelled(...label: string[]): Promise<Docker.VolumeInspectInfo[]> {
    const filters = JSON.stringify({ label }) as never;
    return (await this.asked(() => this.docker.listVolumes({ filters }))).Volumes ?? [];
  }

  /** Ends and removes a container at once, even while it works. */
  async remove(name: string): Promise<void> {
    await this.asked(() => ignore(this.docker.getContainer(name).remove({ force: true }), 404, 409));
  }

  async removeVolume(name: string): Promise<void> {
    await this.asked(() => ignore(this.docker.getVolume(name).remove(), 404));
  }

  /** Pulls an image. Each image has one pull at a time, however many runs wait for it. */
  private async pull({ image, imagePullPolicy }: { image: string; imagePullPolicy: string }): Promise<void> {
    if (imagePullPolicy === 'Never') return;
    if (imagePullPolicy !== 'Always' && (await this.asked(() => ignore(this.docker.getImage(image).inspect(), 404))))
      return;
    const pulling = this.pulls.get(image) ?? this.pullNow(image).finally(() => this.pulls.delete(image));
    this.pulls.set(image, pulling);
    await pulling;
  }

  /** What engines say of a registry that is away does not name the image. @throws EngineUnavailable */
  private async pullNow(image: string): Promise<void> {
    await this.asked(async () => {
      const progress = await this.docker.pull(image);
      await new Promise<void>((resolve, reject) => {
        this.docker.modem.followProgress(progress, (error) => (error ? reject(error) : resolve()));
      });
    }, `the image ${image} cannot be pulled: `);
  }
}

/** The address of a running container in its network. Null when it has none. */
export function addressOf(info: Docker.ContainerInspectInfo): string | null {
  if (!info.State.Running) return null;
  return Object.values(info.NetworkSettings.Networks).find(({ IPAddress }) => IPAddress)?.IPAddress ?? null;
}

/** The answer. Undefined where the engine answers with one of these codes. */
export async function ignore<T>(answer: Promise<T>, ...codes: number[]): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (codes.includes(statusOf(error) ?? 0)) return undefined;
    throw error;
  }
}

const statusOf = (error: unknown): number | undefined => (error as { statusCode?: number }).statusCode;

function connection(engine: string): Docker.DockerOptions {
  if (engine === '') return {};
  const url = new URL(engine);
  if (url.protocol === 'unix:') return { socketPath: url.pathname };
  const protocol = url.protocol === 'https:' ? 'https' : 'http';
  return { protocol, host: url.hostname, port: Number(url.port || 2375) };
}
