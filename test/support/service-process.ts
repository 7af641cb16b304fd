import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { ROOT } from './product.js';
import { ADMIN } from './start-app.js';
import { loadScript } from '../start/load.js';

const { findChromium } = await loadScript<{ findChromium: () => Promise<string> }>('provision/chromium.mjs');
const run = promisify(execFile);

/** Covers a start on a machine that several test runs share. */
const READY_MS = 120_000;

/**
 * The service as built, in a process of its own on the tests' database, with the crawler it has in production. Unlike
 * under `npm run up` nothing starts it again: the test says when. `npm run build` comes first.
 */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private token: string | undefined;

  private constructor(
    readonly dataDir: string,
    readonly baseUrl: string,
    readonly env: Readonly<Record<string, string>>,
    private readonly mongo: { url: string; name: string },
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const url = process.env['MUNIMENT_TEST_MONGO_URL'];
    if (!url) throw new Error('MUNIMENT_TEST_MONGO_URL is not set: run the tests through jest with its global setup.');
    const port = await freePort();
    const dataDir = await mkdtemp(join(tmpdir(), 'muniment-service-'));
    const mongo = { url, name: `t_${randomBytes(8).toString('hex')}` };
    const service = new ServiceProcess(
      dataDir,
      `http://127.0.0.1:${String(port)}`,
      {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        NODE_ENV: 'production',
        MONGO_DB_URL: url,
        MONGO_DB_NAME: mongo.name,
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PORT: String(port),
        SUPERUSER_EMAIL: ADMIN.email,
        SUPERUSER_PASSWORD: ADMIN.password,
        JWT_TOKEN_LIFETIME_MINUTES: '100000',
        CRAWL_DRIVER: 'local',
        CHROMIUM_PATH: await findChromium(),
        ALLOW_PRIVATE_ADDRESSES: 'crawls',
        ...env,
      },
      mongo,
    );
    service.spawn();
    await service.ready();
    return service;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Starts without waiting. */
  spawn(): void {
    const child = spawn(process.execPath, [join(ROOT, 'dist', 'src', 'main.js')], {
      cwd: ROOT,
      env: { ...this.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const log = createWriteStream(this.logFile, { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.once('close', () => log.end());
    this.child = child;
  }

  async ready(): Promise<void> {
    await eventually(async () => {
      if (!this.isRunning) throw new Error(`the service ended:\n${await this.log()}`);
      const { ok } = await fetch(`${this.baseUrl}/healthzStartup`);
      if (!ok) throw new Error('not ready');
    }, READY_MS);
  }

  /** Ends the process without a word; resolves when it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!this.child || !this.isRunning) return;
    const gone = once(this.child, 'exit');
    this.child.kill(signal);
    await gone;
  }

  /** What an operator does: ends it in order, and starts it again. */
  async restart(): Promise<void> {
    await this.kill('SIGTERM');
    this.spawn();
    await this.ready();
  }

  /** Ends the service and deletes its database and files. */
  async close(): Promise<void> {
    await this.kill('SIGTERM');
    const connection = await mongoose.createConnection(this.mongo.url, { dbName: this.mongo.name }).asPromise();
    await connection.dropDatabase();
    await connection.close();
    await rm(this.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The last lines the service printed. */
  async log(lines = 60): Promise<string> {
    const text = await readFile(this.logFile, 'utf8').catch(() => '');
    return text.split('\n').slice(-lines).join('\n');
  }

  /** Calls the API as the superuser. @throws for anything but 200, and while the service is down */
  async call<T = any>(method: string, path: string, json?: unknown): Promise<T> {
    this.token ??= await this.login();
    const response = await fetch(`${this.baseUrl}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(120_000),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${String(response.status)} ${text}`);
    return JSON.parse(text) as T;
  }

  /** Bytes of an archived file, by the link that the API gives. */
  async download(path: string): Promise<Buffer> {
    const response = await fetch(new URL(path, this.baseUrl));
    if (!response.ok) throw new Error(`${path}: ${String(response.status)}`);
    return Buffer.from(await response.arrayBuffer());
  }

  /** What `muniment check` prints about the service's settings and its archive. @throws when it finds something wrong */
  async check(): Promise<string> {
    const program = `
      import { runCli } from ${JSON.stringify(join(ROOT, 'dist', 'src', 'cli', 'cli.js'))};
      const print = (line) => console.log(line);
      const launcher = { up: () => 1, chromiumOnThisMachine: () => null };
      const context = { launcher, terminal: { print, complain: print }, variables: process.env, exitCode: 0 };
      process.exit(await runCli(['check'], context));
    `;
    const args = ['--input-type=module', '--eval', program];
    const { stdout } = await run(process.execPath, args, { env: { ...this.env }, cwd: ROOT }).catch(
      (error: { stdout?: string; stderr?: string }) => {
        throw new Error(`${error.stdout ?? ''}${error.stderr ?? String(error)}`);
      },
    );
    return stdout;
  }

  private get logFile(): string {
    return join(this.dataDir, 'service.log');
  }

  private async login(): Promise<string> {
    const body = new URLSearchParams({ username: ADMIN.email, password: ADMIN.password });
    const response = await fetch(`${this.baseUrl}/api/auth/jwt/login`, { method: 'POST', body });
    if (!response.ok) throw new Error(`login: ${String(response.status)} ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  }
}
