import { fork, type ChildProcess } from 'node:child_process';
import { PROTOCOL_VERSION, type ToApi, type ToChild } from '../protocol.js';
import { errorText } from '../base/time.js';

/** The crawler program and the paths of what it starts. */
export interface CrawlerProgram {
  readonly entry: string;
  readonly searchPath: string;
  /** `off` where the container forbids Chromium's own sandbox. */
  readonly sandbox: string;
}

type Command = ToChild extends infer M ? (M extends ToChild ? Omit<M, 'v'> : never) : never;

/** Runs the crawler as a child process, as the API does on one machine. */
export class CrawlerProcess {
  private readonly child: ChildProcess;

  constructor(
    { entry, searchPath, sandbox }: CrawlerProgram,
    dir: string,
    events: { message(message: ToApi): void; exit(code: number | null): void; say(line: string): void },
  ) {
    this.child = fork(entry, [], {
      cwd: dir,
      serialization: 'advanced',
      execArgv: [],
      env: {
        PATH: searchPath,
        HOME: dir,
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        NODE_ENV: 'production',
        BROWSER_SANDBOX: sandbox,
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.child.on('message', (message) => events.message(message as ToApi));
    this.child.on('error', (error) => events.say(errorText(error)));
    this.child.once('exit', (code) => events.exit(code));
  }

  send(command: Command): void {
    if (!this.child.connected) return;
    this.child.send({ v: PROTOCOL_VERSION, ...command } as ToChild, () => undefined);
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
