import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eventually } from './eventually.js';

export const ROOT = path.resolve(import.meta.dirname, '..', '..');

/** Covers a build and a first database on a busy machine. */
const READY_MS = 240_000;
const STOP_MS = 60_000;

export interface RunFile {
  url: string;
  api: number;
  mongod: number;
}

/** A data folder for one test file; `remove` deletes it. */
export async function temporaryDataDir(): Promise<{ dir: string; remove: () => Promise<void> }> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'muniment-e2e-'));
  return { dir, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 5 }) };
}

/**
 * The product as a user starts it: `bin/up.mjs` in a process group of its own, as a terminal would have it, so that
 * `interrupt` can do what Ctrl-C does.
 */
export class Product {
  output = '';
  readonly child: ChildProcess;
  private readonly ended: Promise<number>;

  private constructor(
    readonly dataDir: string,
    command: readonly string[],
    env: Readonly<Record<string, string>>,
  ) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, {
      cwd: ROOT,
      env: { ...userEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const take = (chunk: Buffer): void => {
      this.output += chunk.toString('utf8');
    };
    this.child.stdout?.on('data', take);
    this.child.stderr?.on('data', take);
    this.ended = new Promise((resolve) => this.child.once('close', (code) => resolve(code ?? -1)));
  }

  /** Starts without waiting. `args` are what a user types after `npm run up --`. */
  static launch(dataDir: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Product {
    return new Product(dataDir, [process.execPath, 'bin/up.mjs', '--data-dir', dataDir, ...args], env);
  }

  /** The same through npm. */
  static launchByNpm(dataDir: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Product {
    return new Product(dataDir, ['npm', 'run', 'up', '--', '--data-dir', dataDir, ...args], env);
  }

  /** Starts and waits for the first screen. @throws with the output when it ends before */
  static async start(dataDir: string, args: readonly string[], env: Record<string, string> = {}): Promise<Product> {
    const product = Product.launch(dataDir, args, env);
    await product.ready();
    return product;
  }

  async ready(): Promise<void> {
    await this.prints(/Muniment is running at .*[\s\S]*Stop it with Ctrl-C/);
  }

  /** Waits for output. @throws with the output when the process ends before */
  async prints(pattern: RegExp): Promise<void> {
    const end = performance.now() + READY_MS;
    while (!pattern.test(this.output)) {
      if (!this.isRunning || performance.now() > end) {
        throw new Error(`Waited for ${String(pattern)}; exit code ${this.child.exitCode}:\n${this.output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The exit code, once it has ended by itself. */
  async exit(): Promise<number> {
    return this.ended;
  }

  /** What Ctrl-C in a terminal does: a signal to the whole process group. Resolves with the exit code. */
  async interrupt(signal: NodeJS.Signals = 'SIGINT'): Promise<number> {
    if (this.isRunning && this.child.pid) process.kill(-this.child.pid, signal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_MS);
    const code = await this.ended;
    clearTimeout(timer);
    return code;
  }

  /** Ids of the processes that it has started. */
  async processes(): Promise<RunFile> {
    const text = await readFile(path.join(this.dataDir, 'run', 'up.json'), 'utf8');
    const { url, api, mongod } = JSON.parse(text) as { url: string; api: string; mongod: string };
    return { url, api: Number.parseInt(api, 10), mongod: Number.parseInt(mongod, 10) };
  }
}

/** Processes that have to do with a data folder, by command line or environment; the test's own children excepted. */
export async function processesOf(dataDir: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(pids.map((pid) => describeIfOf(pid, dataDir)));
  return found.filter((line) => line !== null);
}

/** Waits until nothing is left. @throws with what is */
export async function nothingLeft(dataDir: string): Promise<void> {
  await eventually(async () => expect(await processesOf(dataDir)).toEqual([]));
}

async function describeIfOf(pid: string, dataDir: string): Promise<string | null> {
  try {
    const [line, env] = await Promise.all(['cmdline', 'environ'].map((f) => readFile(`/proc/${pid}/${f}`, 'utf8')));
    return line?.includes(dataDir) || env?.includes(dataDir) ? `${pid} ${line?.replaceAll('\0', ' ')}` : null;
  } catch {
    return null; // ended meanwhile, or another user's
  }
}

/** Without what the test run itself has put into the environment. */
function userEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(JEST_|MUNIMENT_TEST_|NODE_ENV$|NODE_OPTIONS$|MONGO_DB_URL$|npm_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}
