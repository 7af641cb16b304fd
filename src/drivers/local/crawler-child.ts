import { fork, type ChildProcess, type SendHandle } from 'node:child_process';
import { open } from 'node:fs/promises';
import { constants as osConstants } from 'node:os';
import { PROTOCOL_VERSION, type ExitReason, type Reply, type ToApi, type ToChild } from '../../../crawler/protocol.js';
import { identify, kill, type ProcessIdentity } from './processes.js';

export interface ChildExit {
  /** Exit code as the supervisor sees it. For a child that a signal killed it is 128 + the signal's number. */
  readonly code: number;
  readonly reason?: ExitReason;
  readonly failReason?: string;
}

export interface ChildHandlers {
  readonly message: (message: ToApi) => void;
  readonly exit: (exit: ChildExit) => void;
}

export interface ChildOptions {
  readonly entry: string;
  /** Working directory of the child; it is absolute. */
  readonly dir: string;
  readonly env: Record<string, string>;
  readonly user?: { uid: number; gid: number };
  /** File that receives the child's output. */
  readonly logFile: string;
}

/** Time that a question to the child may stay unanswered. */
const REPLY_TIMEOUT_MS = 10_000;

/** Bound of the wait for the child's last message, because another process may hold the channel open. */
const LAST_WORDS_MS = 2000;

type WithoutVersion<T> = T extends unknown ? Omit<T, 'v'> : never;
export type Command = WithoutVersion<ToChild>;
type Question = Extract<Command, { rid: number }>;
export type Ask = WithoutRid<Question>;
type WithoutRid<T> = T extends unknown ? Omit<T, 'rid'> : never;

/** One crawler process: it exchanges messages, answers questions, and ends. */
export class CrawlerChild {
  private readonly questions = new Map<number, { resolve: (reply: Reply | null) => void; timer: NodeJS.Timeout }>();
  private nextRid = 1;
  private ended = false;
  private reason: Pick<ChildExit, 'reason' | 'failReason'> = {};

  private constructor(
    private readonly process: ChildProcess,
    readonly identity: ProcessIdentity | null,
    private readonly handlers: ChildHandlers,
  ) {
    process.on('message', (message) => this.receive(message as ToApi));
    process.once('exit', (code, signal) => this.endAfterLastMessage(code, signal));
    // Without a listener a failed send would end the service.
    process.on('error', () => undefined);
    if (process.exitCode !== null || process.signalCode !== null) this.end(process.exitCode, process.signalCode);
  }

  /** Starts a child. @throws when the process cannot be started (no memory, no such user or program) */
  static async start(options: ChildOptions, handlers: ChildHandlers): Promise<CrawlerChild> {
    const log = await open(options.logFile, 'w', 0o600);
    try {
      const child = fork(options.entry, [], {
        cwd: options.dir,
        env: options.env,
        serialization: 'advanced',
        execArgv: [],
        // The child has a process group of its own, so that its browsers can be ended with it.
        detached: true,
        stdio: ['ignore', log.fd, log.fd, 'ipc'],
        ...(options.user ?? {}),
      });
      if (child.pid === undefined) throw await failure(child);
      return new CrawlerChild(child, await identify(child.pid), handlers);
    } finally {
      await log.close();
    }
  }

  get isAlive(): boolean {
    return !this.ended;
  }

  /** Sends a command. It is dropped when the child is gone: what the child must not miss is kept in files. */
  send(command: Command): void {
    if (this.ended || !this.process.connected) return;
    this.process.send(
      { v: PROTOCOL_VERSION, ...command } as ToChild,
      undefined as SendHandle | undefined,
      () => undefined,
    );
  }

  /** Asks a question. Null when the child is gone or does not answer in time. */
  ask(question: Ask, timeoutMs: number = REPLY_TIMEOUT_MS): Promise<Reply | null> {
    if (this.ended) return Promise.resolve(null);
    const rid = this.nextRid;
    this.nextRid += 1;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.answer(rid, null), timeoutMs);
      timer.unref();
      this.questions.set(rid, { resolve, timer });
      this.send({ ...question, rid } as Question);
    });
  }

  /** Ends the child and all processes that it started. */
  kill(): void {
    const { pid } = this.process;
    if (pid === undefined) return;
    kill(-pid, 'SIGKILL');
    if (!this.ended) kill(pid, 'SIGKILL');
  }

  private receive(message: ToApi): void {
    if (typeof message !== 'object' || message === null) return;
    if (message.t === 'reply') this.answer(message.rid, message);
    else {
      if (message.t === 'exit')
        this.reason = { reason: message.reason, ...(message.failReason ? { failReason: message.failReason } : {}) };
      this.handlers.message(message);
    }
  }

  private answer(rid: number, reply: Reply | null): void {
    const question = this.questions.get(rid);
    if (!question) return;
    this.questions.delete(rid);
    clearTimeout(question.timer);
    question.resolve(reply);
  }

  /** Waits for the channel to close, because it may still hold the child's last message. */
  private endAfterLastMessage(code: number | null, signal: NodeJS.Signals | null): void {
    const end = (): void => this.end(code, signal);
    if (!this.process.connected) {
      end();
      return;
    }
    this.process.once('disconnect', end);
    setTimeout(end, LAST_WORDS_MS).unref();
  }

  private end(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.ended) return;
    this.ended = true;
    for (const rid of [...this.questions.keys()]) this.answer(rid, null);
    // The processes that the child left behind are ended too.
    this.kill();
    const bySignal = signal ? 128 + (osConstants.signals[signal] ?? 0) : 1;
    this.handlers.exit({ code: code ?? bySignal, ...this.reason });
  }
}

function failure(child: ChildProcess): Promise<Error> {
  return new Promise((resolve) => child.once('error', resolve));
}
