import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { extract } from 'tar-stream';
import { containerNet } from './free-port.js';

interface Container {
  id: string;
  name: string;
  address: string;
  created: string;
  root: string;
  create: {
    Image: string;
    Cmd: string[];
    Env: string[];
    Labels: Record<string, string>;
    HostConfig: {
      RestartPolicy?: { Name: string };
      Mounts?: { Source: string; Target: string; VolumeOptions?: { Labels?: Record<string, string> } }[];
    };
  };
  process: ChildProcess | null;
  mayRestart: boolean;
  restartTimer: NodeJS.Timeout | null;
  state: { Status: string; StartedAt: string; FinishedAt: string; ExitCode: number; OOMKilled: boolean };
}

interface Volume {
  Name: string;
  Labels: Record<string, string>;
  folder: string;
}

export interface DockerEngineOptions {
  /** What runs in place of the image: a program and its first arguments; the container's command follows. */
  program: readonly string[];
  /** Images that are other programs: their command line at this address. */
  images?: Readonly<Record<string, (command: string[], address: string) => string[]>>;
  /** Added to the environment of every container. */
  env?: Record<string, string>;
}

const NEVER = '0001-01-01T00:00:00Z';
const RESTART_MS = 200;
/** Long enough to be seen. */
const RESTART_AFTER_OOM_MS = 4_000;

/**
 * The part of the Docker Engine API (v1.43) that the docker driver uses, with processes for containers: each has an
 * address of its own on the loopback network, volumes are folders, paths below /tmp and /crawls lead into them.
 */
export class DockerEngine {
  private readonly containers = new Map<string, Container>();
  private readonly volumes = new Map<string, Volume>();
  private made = 0;
  private readonly net = containerNet();
  private down = false;
  private imagesLeft: readonly string[] | null = null;

  private constructor(
    readonly socketPath: string,
    private readonly root: string,
    private readonly options: DockerEngineOptions,
    private readonly server: Server,
  ) {}

  static async start(options: DockerEngineOptions): Promise<DockerEngine> {
    const root = await mkdtemp(join(tmpdir(), 'docker-engine-'));
    const socketPath = join(root, 'docker.sock');
    const server = createServer();
    const engine = new DockerEngine(socketPath, root, options, server);
    server.on('request', (request, response) => void engine.answer(request, response));
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    return engine;
  }

  /** Every call fails until the returned function is called; containers go on. */
  goDown(): () => void {
    this.down = true;
    return () => {
      this.down = false;
    };
  }

  /** Removes a container as somebody with a shell does. */
  removeByHand(name: string): void {
    const container = this.byName(name);
    if (container) this.discard(container);
  }

  /** From now on no image is there, nor can be pulled. */
  forgetImages(): void {
    this.imagesLeft = [];
  }

  /** Names of the containers there are. */
  names(): string[] {
    return [...this.containers.values()].map(({ name }) => name);
  }

  volumeNames(): string[] {
    return [...this.volumes.keys()];
  }

  /** Ends a container's process as the kernel would, for lack of memory. */
  killForMemory(name: string): void {
    const container = this.byName(name);
    if (!container?.process) return;
    container.state.OOMKilled = true;
    container.process.kill('SIGKILL');
  }

  /** Ends a container as `kill -9` of all that runs in it does. */
  kill(name: string): void {
    const pid = this.byName(name)?.process?.pid;
    if (pid !== undefined) killGroup(pid);
  }

  async close(): Promise<void> {
    for (const container of [...this.containers.values()]) this.discard(container);
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await rm(this.root, { recursive: true, force: true, maxRetries: 10 });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://engine');
    const path = url.pathname.replace(/^\/v[\d.]+/, '');
    try {
      if (this.down) throw new Refusal(500, 'the engine is down');
      const { status, body } = await this.route(request, path, url.searchParams);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    } catch (error) {
      response.writeHead(error instanceof Refusal ? error.status : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: (error as Error).message }));
    }
  }

  private async route(
    request: IncomingMessage,
    path: string,
    query: URLSearchParams,
  ): Promise<{ status: number; body?: unknown }> {
    const { method } = request;
    const [, kind, id = '', verb = ''] = path.split('/').map(decodeURIComponent);
    if (kind === '_ping') return { status: 200, body: 'OK' };
    if (kind === 'images') return this.images(request, path, query);
    if (kind === 'volumes') return this.volumeRoute(method, id, query);
    if (path === '/containers/json') return { status: 200, body: this.list(query) };
    if (path === '/containers/create') {
      const body = JSON.parse(await textOf(request)) as Container['create'];
      return { status: 201, body: { Id: await this.create(query.get('name') ?? '', body), Warnings: [] } };
    }
    const container = this.containers.get(id) ?? this.byName(id);
    if (!container) throw new Refusal(404, `No such container: ${id}`);
    if (method === 'GET' && verb === 'json') return { status: 200, body: inspection(container) };
    if (method === 'PUT' && verb === 'archive') {
      await unpack(request, container.root);
      return { status: 200 };
    }
    if (method === 'POST' && verb === 'start') {
      if (container.process) return { status: 304 };
      this.run(container);
      return { status: 204 };
    }
    if (method === 'POST' && verb === 'kill') {
      if (!container.process) throw new Refusal(409, 'is not running');
      container.mayRestart = false;
      container.process.kill((query.get('signal') ?? 'SIGKILL') as NodeJS.Signals);
      return { status: 204 };
    }
    if (method === 'DELETE') {
      this.discard(container);
      return { status: 204 };
    }
    throw new Refusal(404, 'page not found');
  }

  private images(request: IncomingMessage, path: string, query: URLSearchParams): { status: number; body?: unknown } {
    const known = (image: string): boolean => this.imagesLeft?.includes(image) ?? true;
    if (request.method === 'POST') {
      const image = query.get('fromImage') ?? '';
      const tag = query.get('tag');
      if (!known(tag ? `${image}:${tag}` : image)) throw new Refusal(404, `pull access denied for ${image}`);
      return { status: 200, body: { status: 'pulled' } };
    }
    const image = decodeURIComponent(path.slice('/images/'.length, -'/json'.length));
    if (!known(image)) throw new Refusal(404, `No such image: ${image}`);
    return { status: 200, body: { Id: image } };
  }

  private async volumeRoute(
    method = '',
    name: string,
    query: URLSearchParams,
  ): Promise<{ status: number; body?: unknown }> {
    if (method === 'GET') {
      const found = [...this.volumes.values()].filter(({ Labels }) => matches(Labels, query));
      return { status: 200, body: { Volumes: found.map(({ Name, Labels }) => ({ Name, Labels })), Warnings: [] } };
    }
    const volume = this.volumes.get(name);
    if (!volume) throw new Refusal(404, `no such volume: ${name}`);
    this.volumes.delete(name);
    await rm(volume.folder, { recursive: true, force: true, maxRetries: 10 });
    return { status: 204 };
  }

  private list(query: URLSearchParams): unknown[] {
    return [...this.containers.values()]
      .filter(({ create }) => matches(create.Labels, query))
      .map(({ id, name, create }) => ({ Id: id, Names: [`/${name}`], Labels: create.Labels }));
  }

  private async create(name: string, create: Container['create']): Promise<string> {
    if (this.byName(name)) throw new Refusal(409, `Conflict. The container name "/${name}" is already in use`);
    this.made += 1;
    const id = this.made.toString(16).padStart(64, '0');
    const root = join(this.root, 'containers', id);
    await mkdir(join(root, 'tmp'), { recursive: true });
    for (const { Source, VolumeOptions } of create.HostConfig.Mounts ?? []) {
      if (this.volumes.has(Source)) continue;
      const folder = join(this.root, 'volumes', Source);
      await mkdir(folder, { recursive: true });
      this.volumes.set(Source, { Name: Source, Labels: VolumeOptions?.Labels ?? {}, folder });
    }
    const state = { Status: 'created', StartedAt: NEVER, FinishedAt: NEVER, ExitCode: 0, OOMKilled: false };
    const address = `${this.net}.${String(1 + (this.made % 254))}`;
    this.containers.set(id, {
      id,
      name,
      address,
      created: new Date().toISOString(),
      root,
      create,
      process: null,
      mayRestart: true,
      restartTimer: null,
      state,
    });
    return id;
  }

  private run(container: Container): void {
    const { create, root, address } = container;
    const folderOf = (target: string): string => {
      const mount = create.HostConfig.Mounts?.find(({ Target }) => Target === target);
      return (mount && this.volumes.get(mount.Source)?.folder) ?? join(root, target);
    };
    const inside = (text: string): string =>
      text.replace(/^\/tmp\//, `${root}/tmp/`).replace(/^\/data$/, folderOf('/data'));
    const command = create.Cmd.map(inside);
    const asImage = this.options.images?.[create.Image];
    const [program = '', ...args] = asImage ? asImage(command, address) : [...this.options.program, ...command];
    const child = spawn(program, args, {
      env: {
        PATH: process.env['PATH'],
        ...Object.fromEntries(
          create.Env.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
        ),
        CRAWLS_DIR: folderOf('/crawls'),
        BIND_HOST: address,
        ...this.options.env,
      },
      stdio: ['ignore', 'ignore', process.env['DOCKER_ENGINE_LOG'] ? 'inherit' : 'ignore'],
      detached: true,
    });
    container.process = child;
    container.mayRestart = true;
    container.state = { ...container.state, Status: 'running', StartedAt: new Date().toISOString(), OOMKilled: false };
    child.once('exit', (code, signal) => this.ended(container, code ?? (signal === 'SIGKILL' ? 137 : 143)));
  }

  private ended(container: Container, code: number): void {
    if (container.process?.pid !== undefined) killGroup(container.process.pid);
    container.process = null;
    const policy = container.create.HostConfig.RestartPolicy?.Name;
    const again = container.mayRestart && (policy === 'unless-stopped' || (policy === 'on-failure' && code !== 0));
    Object.assign(container.state, {
      Status: again ? 'restarting' : 'exited',
      FinishedAt: new Date().toISOString(),
      ExitCode: code,
    });
    const waitMs = container.state.OOMKilled ? RESTART_AFTER_OOM_MS : RESTART_MS;
    if (again && this.containers.has(container.id))
      container.restartTimer = setTimeout(() => this.run(container), waitMs);
  }

  private discard(container: Container): void {
    container.mayRestart = false;
    if (container.restartTimer) clearTimeout(container.restartTimer);
    if (container.process?.pid !== undefined) killGroup(container.process.pid);
    this.containers.delete(container.id);
  }

  private byName(name: string): Container | undefined {
    return [...this.containers.values()].find((each) => each.name === name);
  }
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function inspection({ id, name, address, created, create, state }: Container): unknown {
  return {
    Id: id,
    Name: `/${name}`,
    Created: created,
    Config: { Labels: create.Labels, Image: create.Image },
    State: {
      ...state,
      Running: state.Status === 'running' || state.Status === 'restarting',
      Restarting: state.Status === 'restarting',
      Error: '',
    },
    NetworkSettings: { Networks: { bridge: { IPAddress: state.Status === 'running' ? address : '' } } },
  };
}

function matches(labels: Record<string, string>, query: URLSearchParams): boolean {
  const { label = [] } = JSON.parse(query.get('filters') ?? '{}') as { label?: string[] };
  return label.every((wanted) => {
    const [name = '', value] = wanted.split('=');
    return value === undefined ? name in labels : labels[name] === value;
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

async function unpack(request: IncomingMessage, folder: string): Promise<void> {
  const archive = extract();
  request.pipe(archive);
  for await (const entry of archive) {
    const path = join(folder, entry.header.name);
    await mkdir(dirname(path), { recursive: true });
    const parts: Buffer[] = [];
    for await (const part of entry) parts.push(part as Buffer);
    await writeFile(path, Buffer.concat(parts));
  }
}
