import type { OriginalCapture, ToChild } from '../protocol.js';
import { Originals } from '../warc/originals.js';
import type { Channel } from './channel.js';
import type { Logger } from './logger.js';

type Answer = Extract<ToChild, { t: 'originals' }>;

export interface AskTimes {
  /** How long a question waits for others, to be sent with them, ms. */
  readonly batchMs: number;
  /** How long an answer is waited for, ms. */
  readonly answerMs: number;
  /** How long nothing is asked after an answer that did not come, ms. */
  readonly pauseMs: number;
}

/** An index answers in a few ms, on a busy machine later. Bodies are held meanwhile, so a pause follows a wait in vain. */
const TIMES: AskTimes = { batchMs: 5, answerMs: 10_000, pauseMs: 30_000 };
/** Most digests of one message. */
const BATCH = 32;
/** Answers kept, about 500 bytes each. Bodies that sites repeat under many addresses are asked for once. */
const REMEMBERED = 10_000;

interface Question {
  readonly digest: string;
  readonly answered: (original: OriginalCapture | undefined) => void;
}

/** Asks the process that runs the crawler, several digests at a time. What is not answered counts as not found. */
export class AskedOriginals extends Originals {
  private readonly known = new Map<string, OriginalCapture>();
  private readonly open = new Map<string, Promise<OriginalCapture | undefined>>();
  private readonly sent = new Map<number, { questions: Question[]; timer: NodeJS.Timeout }>();
  private waiting: Question[] = [];
  private batchTimer: NodeJS.Timeout | undefined;
  private nextRid = 1;
  private pausedUntil = 0;
  /** Whether the last answer did not come, which the log says once. */
  private isAway = false;
  private ended = false;

  constructor(
    private readonly channel: Channel,
    private readonly logger: Logger,
    private readonly times: AskTimes = TIMES,
  ) {
    super();
    channel.onMessage((message) => {
      if (message.t === 'originals') this.answer(message);
    });
    channel.onDisconnect(() => this.end());
  }

  override find(digest: string): Promise<OriginalCapture | undefined> {
    const known = this.known.get(digest);
    if (known) {
      this.remember(known);
      return Promise.resolve(known);
    }
    const open = this.open.get(digest);
    if (open) return open;
    if (this.ended || Date.now() < this.pausedUntil) return Promise.resolve(undefined);
    const asked = new Promise<OriginalCapture | undefined>((resolve) => {
      const answered = (original: OriginalCapture | undefined): void => {
        this.open.delete(digest);
        resolve(original);
      };
      this.waiting.push({ digest, answered });
    });
    this.open.set(digest, asked);
    if (this.waiting.length >= BATCH) this.ask();
    else this.batchTimer ??= setTimeout(() => this.ask(), this.times.batchMs);
    return asked;
  }

  override end(): void {
    this.ended = true;
    clearTimeout(this.batchTimer);
    for (const { answered } of this.waiting.splice(0)) answered(undefined);
    for (const rid of [...this.sent.keys()]) this.giveUp(rid);
  }

  private ask(): void {
    clearTimeout(this.batchTimer);
    this.batchTimer = undefined;
    const questions = this.waiting.splice(0);
    if (questions.length === 0) return;
    const rid = this.nextRid++;
    const timer = setTimeout(() => this.unanswered(rid), this.times.answerMs);
    this.sent.set(rid, { questions, timer });
    this.channel.send({ t: 'askOriginals', rid, digests: questions.map(({ digest }) => digest) });
  }

  /** Takes a late answer too: it says that questions are answered again. */
  private answer({ rid, found }: Answer): void {
    const byDigest = new Map(found.map((original) => [original.digest, original]));
    for (const original of found) this.remember(original);
    this.pausedUntil = 0;
    if (this.isAway) this.logger.info('dedupe', 'The index of earlier captures answers again');
    this.isAway = false;
    const asked = this.take(rid);
    for (const { digest, answered } of asked) answered(byDigest.get(digest));
  }

  private unanswered(rid: number): void {
    this.pausedUntil = Date.now() + this.times.pauseMs;
    if (!this.isAway) {
      this.logger.warn('dedupe', 'The index of earlier captures does not answer, capturing everything whole', {
        waitedMs: this.times.answerMs,
      });
    }
    this.isAway = true;
    this.giveUp(rid);
  }

  private giveUp(rid: number): void {
    for (const { answered } of this.take(rid)) answered(undefined);
  }

  private take(rid: number): Question[] {
    const batch = this.sent.get(rid);
    this.sent.delete(rid);
    clearTimeout(batch?.timer);
    return batch?.questions ?? [];
  }

  /** Keeps what is found only: what is not found is captured whole, and then the crawl itself holds it. */
  private remember(original: OriginalCapture): void {
    this.known.delete(original.digest);
    this.known.set(original.digest, original);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= REMEMBERED) return;
      this.known.delete(oldest);
    }
  }
}
