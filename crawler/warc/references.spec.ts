import type { OriginalCapture } from '../protocol.js';
import { DuplicateIndex } from './dedupe.js';
import { Originals } from './originals.js';
import { LEAST_ORIGINAL_BYTES, References, type Payload, type Reference } from './references.js';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const JOB = 'this-crawl';

/** Answers when the test says so. */
class HandMadeOriginals extends Originals {
  readonly open: ((found?: OriginalCapture) => void)[] = [];
  override find(): Promise<OriginalCapture | undefined> {
    return new Promise((resolve) => this.open.push(resolve));
  }
}

const earlier = (itemId = 'earlier'): OriginalCapture => ({
  digest: DIGEST,
  url: 'https://site.example/one',
  date: '2026-11-21T08:00:00.000Z',
  size: 5_000,
  itemId,
  wacz: { name: 'earlier.wacz', hash: 'ab', size: 10_000 },
});

const at = (path: string, changes: Partial<Payload> = {}): Payload => ({
  digest: DIGEST,
  size: LEAST_ORIGINAL_BYTES,
  method: 'GET',
  here: { url: `https://site.example/${path}`, date: '2026-11-28T08:00:00.000Z' },
  ...changes,
});

describe('what a body refers to', () => {
  let originals: HandMadeOriginals;
  let references: References;
  beforeEach(() => {
    originals = new HandMadeOriginals();
    references = new References(new DuplicateIndex(), originals, JOB);
  });
  const target = (reference: Reference | null) => reference && [reference.url, reference.original?.itemId];

  it('is the capture of another item, under the same address too', async () => {
    const one = references.of(at('one'));
    originals.open[0]?.(earlier());
    expect(target(await one)).toEqual(['https://site.example/one', 'earlier']);
  });

  it('is the one answer, for equal bodies that came while the question was open', async () => {
    const all = [references.of(at('two')), references.of(at('three')), references.of(at('four', { method: 'POST' }))];
    expect(originals.open).toHaveLength(1);
    originals.open[0]?.(earlier());
    for (const each of await Promise.all(all)) expect(target(each)).toEqual(['https://site.example/one', 'earlier']);
  });

  it('is the first of equal bodies, which alone is written, when no other item holds it', async () => {
    const all = [references.of(at('two')), references.of(at('three')), references.of(at('four'))];
    originals.open[0]?.();
    const [two, three, four] = await Promise.all(all);
    expect(two).toBeNull();
    expect([target(three ?? null), target(four ?? null)]).toEqual([
      ['https://site.example/two', undefined],
      ['https://site.example/two', undefined],
    ]);
  });

  it('is what the crawl itself has captured before anything else', async () => {
    const first = references.of(at('two'));
    originals.open[0]?.();
    await first;
    expect(target(await references.of(at('three')))).toEqual(['https://site.example/two', undefined]);
    expect(originals.open).toHaveLength(1);
  });

  it('is never the crawl itself, told as another item', async () => {
    const one = references.of(at('two'));
    originals.open[0]?.(earlier(JOB));
    expect(await one).toBeNull();
  });

  it.each([
    ['smaller than a revisit record is worth', at('two', { size: LEAST_ORIGINAL_BYTES - 1 })],
    ['the answer to a POST', at('two', { method: 'POST' })],
  ])('is not asked for when it is %s', async (_, payload) => {
    expect(await references.of(payload)).toBeNull();
    expect(originals.open).toEqual([]);
  });

  it('is no answer to a POST, whose record replay finds by the address with its body only', async () => {
    await references.of(at('two', { method: 'POST' }));
    const one = references.of(at('three'));
    originals.open[0]?.();
    expect(await one).toBeNull();
  });
});
