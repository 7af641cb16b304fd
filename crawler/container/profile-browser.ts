import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WORK_FILES, type InputEvent, type OutputFile, type Reply, type ToApi } from '../protocol.js';
import type { BrowserStart } from './browser-start.js';
import { CrawlerProcess, type CrawlerProgram } from './crawler-process.js';
import { S3Files } from './s3-files.js';

/** Longest wait for a reply, because packing a large profile takes time. */
const REPLY_TIMEOUT_MS = 120_000;
const IDLE_CHECK_MS = 250;

/** A saved profile. Contract: spec archive §8, answer of `/createProfileJS`. */
export interface ProfileAnswer {
  readonly resource: { hash: string; size: number; bytes: number; path: string };
  readonly origins: string[];
}

export type FrameMessage = Extract<ToApi, { t: 'frame' }>;
type Asked = { t: 'ping' } | { t: 'navigate'; url: string } | { t: 'commit' };

/** The browser does not answer yet, or no longer answers. */
export class NotReady extends Error {}

/** The browser of one container, in which a person prepares a profile. */
export class ProfileBrowser {
  private readonly s3: S3Files;
  /** Receivers of replies; they get null when no reply will come any more. */
  private readonly waiting = new Map<number, (reply: Reply | null) => void>();
  private readonly saved = new Map<string, Promise<ProfileAnswer>>();
  private child: CrawlerProcess | null = null;
  private isReady = false;
  private asked = 0;
  private saving = 0;
  private usedAt = Date.now();
  private ended!: (code: number) => void;
  private readonly over = new Promise<number>((resolve) => (this.ended = resolve));
  /** Receives the frames for the viewer. */
  onFrame: (frame: FrameMessage) => void = () => undefined;

  constructor(
    private readonly given: BrowserStart,
    private readonly program: CrawlerProgram,
    private readonly say: (line: string) => void,
  ) {
    this.s3 = new S3Files(given.s3);
  }

  /** @returns the exit code of the container */
  async run(): Promise<number> {
    const { config, profileKey, idleSeconds } = this.given;
    await mkdir(config.dir, { recursive: true, mode: 0o700 });
    if (profileKey) await this.s3.get(profileKey, join(config.dir, WORK_FILES.profileArchive));
    this.child = new CrawlerProcess(this.program, config.dir, {
      message: (message) => this.receive(message),
      exit: (code) => this.ended(code ?? 1),
      say: this.say,
    });
    this.child.send({ t: 'start', config, resume: false });
    this.used();
    const idle = setInterval(() => {
      if (idleSeconds > 0 && this.saving === 0 && Date.now() - this.usedAt > idleSeconds * 1000) this.end();
    }, IDLE_CHECK_MS);
    const code = await this.over;
    for (const answer of this.waiting.values()) answer(null);
    clearInterval(idle);
    this.s3.close();
    return code;
  }

  /** Restarts the idle time. */
  used(): void {
    this.usedAt = Date.now();
  }

  /** Ends the browser, after a signal or when nobody has used it for a while. */
  end(): void {
    this.isReady = false;
    this.child?.kill();
    this.ended(0);
  }

  /** Returns the origins of the pages visited. @throws NotReady */
  async ping(): Promise<string[]> {
    const reply = await this.ask({ t: 'ping' });
    return reply.kind === 'ping' ? reply.origins : [];
  }

  /** Loads a page. A failed load is no error, because the person sees it. @throws NotReady */
  async navigate(url: string): Promise<void> {
    await this.ask({ t: 'navigate', url });
  }

  /** Packs the profile and stores it under the name. A repeated call for a name gives the first answer. */
  save(name: string): Promise<ProfileAnswer> {
    const saved = this.saved.get(name) ?? this.saveNow(name);
    this.saved.set(name, saved);
    saved.catch(() => this.saved.delete(name));
    return saved;
  }

  input(event: InputEvent): void {
    this.child?.send({ t: 'input', event });
  }

  setCast(on: boolean): void {
    this.child?.send({ t: 'cast', on });
  }

  private async saveNow(name: string): Promise<ProfileAnswer> {
    this.saving += 1;
    try {
      const reply = await this.ask({ t: 'commit' });
      if (reply.kind !== 'commit' || reply.error) throw new Error(reply.error ?? 'the browser did not answer');
      await this.store(reply.file, name);
      const { hash, size } = reply.file;
      return { resource: { hash, size, bytes: size, path: name }, origins: reply.origins };
    } finally {
      this.saving -= 1;
      this.used();
    }
  }

  private async store({ file }: OutputFile, name: string): Promise<void> {
    const path = join(this.given.config.dir, WORK_FILES.outDir, file);
    await this.s3.put(path, name, 'application/gzip');
    await rm(path, { force: true });
    await rm(`${path}.json`, { force: true });
    this.child?.send({ t: 'stored', file });
  }

  private receive(message: ToApi): void {
    if (message.t === 'state' && message.status === 'running') this.isReady = true;
    if (message.t === 'reply') this.waiting.get(message.rid)?.(message);
    if (message.t === 'frame') this.onFrame(message);
  }

  private async ask(question: Asked): Promise<Reply> {
    if (!this.isReady) throw new NotReady('the browser is starting');
    this.asked += 1;
    const rid = this.asked;
    const reply = await new Promise<Reply | null>((resolve) => {
      const timer = setTimeout(() => resolve(null), REPLY_TIMEOUT_MS);
      this.waiting.set(rid, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      this.child?.send({ rid, ...question });
    });
    this.waiting.delete(rid);
    if (reply) return reply;
    const failure = new NotReady(`the browser did not answer to ${question.t}`);
    this.say(failure.message);
    throw failure;
  }
}
