import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { ROOT } from './product.js';

/** Covers the start on a machine that does much else. */
const READY_MS = 120_000;

/** Ends a process whose parent is gone, as `npm run up` does it. */
const FOLLOW_PARENT = pathToFileURL(path.join(ROOT, 'scripts', 'up', 'follow-parent.mjs')).href;

/** The API as it is deployed, `dist/src/main.js`, in a process of its own that tests may kill at any moment. */
export class MainProcess {
  output = '';

  private constructor(
    readonly baseUrl: string,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString('utf8')).slice(-20_000)));
  }

  /** Starts without waiting. */
  static async launch(env: Readonly<Record<string, string>>): Promise<MainProcess> {
    const port = String(await freePort());
    const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, 'dist/src/main.js'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', LOG_FORMAT: 'json', LOG_LEVEL: 'warn', ...env, PORT: port },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    return new MainProcess(`http://127.0.0.1:${port}`, child);
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** @returns false when it was killed before it was ready. @throws with the output when it ended by itself */
  async ready(): Promise<boolean> {
    return eventually(async () => {
      if (this.child.signalCode !== null) return false;
      if (this.child.exitCode !== null) throw new Error(`ended with ${this.child.exitCode}:\n${this.output}`);
      const { ok } = await fetch(`${this.baseUrl}/healthz`, { signal: AbortSignal.timeout(10_000) });
      if (!ok) throw new Error(`not ready:\n${this.output}`);
      return true;
    }, READY_MS);
  }

  /** `kill -9`; resolves when it is gone. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}
