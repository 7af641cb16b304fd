import { jest } from '@jest/globals';
import type { LogLine, OriginalCapture, ToApi, ToChild } from '../protocol.js';
import { AskedOriginals, type AskTimes } from './asked-originals.js';
import { Channel, type NewEntry, type Outgoing } from './channel.js';
import { Logger } from './logger.js';

/** A channel whose other side is the test. */
class HandMadeChannel extends Channel {
  readonly sent: Outgoing[] = [];
  readonly told: NewEntry[] = [];
  private handler: (message: ToChild) => void = () => undefined;
  private gone: () => void = () => undefined;

  send(message: Outgoing): void {
    this.sent.push(message);
  }
  journalQuietly(entry: NewEntry): Promise<() => void> {
    this.told.push(entry);
    return Promise.resolve(() => undefined);
  }
  sync(): Promise<void> {
    return Promise.resolve();
  }
  onMessage(handler: (message: ToChild) => void): void {
    this.handler = handler;
  }
  onDisconnect(handler: () => void): void {
    this.gone = handler;
  }
  close(): Promise<void> {
    return Promise.resolve();
  }

  answer(rid: number, ...found: OriginalCapture[]): void {
    this.handler({ v: 1, t: 'originals', rid, found });
  }
  disconnect(): void {
    this.gone();
  }
  get questions(): Extract<ToApi, { t: 'askOriginals' }>['digests'][] {
    return this.sent.flatMap((message) => (message.t === 'askOriginals' ? [message.digests] : []));
  }
}

/** Lines of the log instead of a file. */
class KeptLogger extends Logger {
  readonly lines: Pick<LogLine, 'logLevel' | 'message'>[] = [];
  override log(logLevel: LogLine['logLevel'], _context: string, message: string): void {
    this.lines.push({ logLevel, message });
  }
}

const original = (digest: string): OriginalCapture => ({
  digest,
  url: 'https://site.example/',
  date: '2026-11-21T08:00:00.000Z',
  size: 5_000,
  itemId: 'earlier',
  wacz: { name: 'earlier.wacz', hash: 'ab', size: 10_000 },
});

const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('questions for originals', () => {
  let channel: HandMadeChannel;
  let logger: KeptLogger;
  const open = (times: Partial<AskTimes> = {}): AskedOriginals =>
    new AskedOriginals(channel, logger, { batchMs: 5, answerMs: 5_000, pauseMs: 30_000, ...times });

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    channel = new HandMadeChannel();
    logger = new KeptLogger(channel);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are sent together after a moment, each answered with what was found of it', async () => {
    const originals = open();
    const [one, other] = [originals.find('one'), originals.find('other')];
    expect(channel.questions).toEqual([]);
    jest.advanceTimersByTime(5);
    expect(channel.questions).toEqual([['one', 'other']]);
    channel.answer(1, original('other'));
    expect([await one, await other]).toEqual([undefined, original('other')]);
  });

  it('are sent at once when they are 32', () => {
    const originals = open();
    for (let i = 0; i < 33; i++) void originals.find(String(i));
    expect(channel.questions.map(({ length }) => length)).toEqual([32]);
    jest.advanceTimersByTime(5);
    expect(channel.questions.map(({ length }) => length)).toEqual([32, 1]);
  });

  it('are not repeated for a body that is being asked for, or was found', async () => {
    const originals = open();
    const both = [originals.find('one'), originals.find('one')];
    jest.advanceTimersByTime(5);
    channel.answer(1, original('one'));
    expect(await Promise.all([...both, originals.find('one')])).toEqual(Array(3).fill(original('one')));
    jest.advanceTimersByTime(5);
    expect(channel.questions).toEqual([['one']]);
  });

  it('are answered with nothing when no answer comes, and the log says so once for an outage', async () => {
    const originals = open();
    const one = originals.find('one');
    jest.advanceTimersByTime(5 + 5_000);
    expect(await one).toBeUndefined();
    // Nothing is asked for a while, so that a crawl is not slow as long as nobody answers.
    expect(await originals.find('other')).toBeUndefined();
    expect(channel.questions).toHaveLength(1);
    jest.advanceTimersByTime(30_000);
    const third = originals.find('third');
    jest.advanceTimersByTime(5 + 5_000);
    expect(await third).toBeUndefined();
    expect(channel.questions).toHaveLength(2);
    expect(logger.lines.map(({ logLevel }) => logLevel)).toEqual(['warn']);
  });

  it('are asked again once a late answer came', async () => {
    const originals = open();
    const one = originals.find('one');
    jest.advanceTimersByTime(5 + 5_000);
    expect(await one).toBeUndefined();
    channel.answer(1, original('one'));
    expect(await originals.find('one')).toEqual(original('one'));
    const other = originals.find('other');
    jest.advanceTimersByTime(5);
    channel.answer(2);
    expect(await other).toBeUndefined();
    expect(channel.questions).toEqual([['one'], ['other']]);
    expect(logger.lines.map(({ logLevel }) => logLevel)).toEqual(['warn', 'info']);
  });

  it('end with nothing when nobody is there any more', async () => {
    const originals = open();
    const sent = originals.find('sent');
    jest.advanceTimersByTime(5);
    const waiting = originals.find('waiting');
    channel.disconnect();
    expect(await Promise.all([sent, waiting, originals.find('later')])).toEqual([undefined, undefined, undefined]);
    await turns();
    expect(logger.lines).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are remembered up to a bound', async () => {
    const originals = open();
    for (let batch = 0; batch < 313; batch++) {
      const digests = Array.from({ length: 32 }, (_, i) => String(batch * 32 + i));
      const found = digests.map((digest) => originals.find(digest));
      channel.answer(batch + 1, ...digests.map(original));
      await Promise.all(found);
    }
    // 10,016 in all, the first 16 forgotten.
    for (const digest of ['10015', '16', '15', '0']) void originals.find(digest);
    jest.advanceTimersByTime(5);
    expect(channel.questions.at(-1)).toEqual(['15', '0']);
  });
});
