import type { CaptureLine } from './capture-line.js';
import {
  DIGEST_BYTES,
  type DedupeHashesRepository,
  type IndexedCapture,
  type IndexEntry,
} from './data/dedupe-hashes.repository.js';
import type { DedupeSourcesRepository, IndexKey } from './data/dedupe-sources.repository.js';
import type { SourceFigures } from './data/dedupe-source.schema.js';

/** Originals that are looked up and inserted together. */
const BATCH = 1_000;
/** Digests of revisits that wait for their originals, which may come later in the file. */
const MAX_WAITING = 50_000;

/** Revisits of one body. */
interface Revisits {
  readonly digest: Buffer;
  readonly sizes: number[];
}

const nameOf = (digest: Buffer): string => digest.toString('latin1', 0, DIGEST_BYTES);

/** Counts the captures of one WACZ and gives an index those that it lacks. What was captured first stays. */
export class CaptureBatches {
  private batch: IndexedCapture[] = [];
  private readonly waiting = new Map<string, Revisits>();
  private readonly liveness = new Map<string, boolean>();
  private readonly figures = { totalUrls: 0, dupeUrls: 0, conservedSize: 0, uniqueHashes: 0, redundantSize: 0 };

  constructor(
    private readonly hashes: DedupeHashesRepository,
    private readonly sources: DedupeSourcesRepository,
    private readonly key: IndexKey,
    private readonly sourceId: string,
  ) {}

  /** @returns whether it is time for a flush */
  take({ kind, digest, url, date, size }: CaptureLine): boolean {
    this.figures.totalUrls += 1;
    if (kind === 'revisit') this.figures.dupeUrls += 1;
    if (!digest || kind === 'other') return false;
    if (kind === 'original') this.batch.push({ digest, url, date, size });
    else this.wait(digest, size);
    return this.batch.length >= BATCH || this.waiting.size >= MAX_WAITING;
  }

  async flush(): Promise<void> {
    await this.store();
    if (this.waiting.size >= MAX_WAITING) await this.weighRevisits();
  }

  async end(): Promise<SourceFigures> {
    await this.store();
    await this.weighRevisits();
    return this.figures;
  }

  private wait(digest: Buffer, size: number): void {
    const name = nameOf(digest);
    const known = this.waiting.get(name);
    if (known) known.sizes.push(size);
    else this.waiting.set(name, { digest, sizes: [size] });
  }

  private async store(): Promise<void> {
    const { batch } = this;
    this.batch = [];
    const firsts = new Map<string, IndexedCapture>();
    for (const capture of batch) {
      const name = nameOf(capture.digest);
      if (firsts.has(name)) this.figures.redundantSize += capture.size;
      else firsts.set(name, capture);
    }
    const present = await this.look([...firsts.values()]);
    const lacking: IndexedCapture[] = [];
    for (const [name, capture] of firsts) {
      const entry = present.get(name);
      if (entry?.isLive) this.count(capture, entry);
      else lacking.push(capture);
    }
    await this.add(lacking, present);
  }

  private count({ url, date, size }: IndexedCapture, entry: IndexEntry): void {
    const isOurs = entry.sourceId === this.sourceId && entry.url === url && entry.date.getTime() === date.getTime();
    if (isOurs) this.figures.uniqueHashes += 1;
    else this.figures.redundantSize += size;
  }

  /** Adds captures that no live source has. Entries of other sources are taken over. */
  private async add(lacking: readonly IndexedCapture[], present: ReadonlyMap<string, IndexEntry>): Promise<void> {
    const { collectionId } = this.key;
    const taken = lacking.flatMap((capture) => {
      const owner = present.get(nameOf(capture.digest));
      return owner ? [{ capture, from: owner.sourceId }] : [];
    });
    const fresh = lacking.filter(({ digest }) => !present.has(nameOf(digest)));
    await this.hashes.takeOver(collectionId, this.sourceId, taken);
    const isAlone = await this.hashes.insert(collectionId, this.sourceId, fresh);
    if (isAlone) this.figures.uniqueHashes += fresh.length;
    // Another process may have been first, so what is there now decides.
    const unsure = isAlone ? taken.map(({ capture }) => capture) : lacking;
    const now = await this.look(unsure);
    for (const capture of unsure) {
      const entry = now.get(nameOf(capture.digest));
      if (entry) this.count(capture, entry);
    }
  }

  /** The entries of these captures' digests, and whether their sources are live. */
  private async look(captures: readonly IndexedCapture[]): Promise<Map<string, IndexEntry & { isLive: boolean }>> {
    const digests = captures.map(({ digest }) => digest);
    const found = await this.hashes.find(this.key.collectionId, digests);
    const unsure = new Set(found.map(({ sourceId }) => sourceId).filter((id) => !this.liveness.has(id)));
    const live = await this.sources.live(this.key, [...unsure]);
    for (const id of unsure) this.liveness.set(id, live.has(id));
    return new Map(
      found.map((entry) => [nameOf(entry.digest), { ...entry, isLive: this.liveness.get(entry.sourceId) ?? false }]),
    );
  }

  /** Bytes of the originals' records, by digest. */
  private async known(digests: readonly Buffer[]): Promise<Map<string, number>> {
    const found = await this.hashes.find(this.key.collectionId, digests);
    return new Map(found.map(({ digest, size }) => [nameOf(digest), size]));
  }

  /** What the revisits saved: the difference between their records and those of the originals. */
  private async weighRevisits(): Promise<void> {
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (let start = 0; start < waiting.length; start += BATCH) {
      const some = waiting.slice(start, start + BATCH);
      const originals = await this.known(some.map(([, { digest }]) => digest));
      for (const [name, { sizes }] of some) {
        const original = originals.get(name);
        for (const size of sizes) this.figures.conservedSize += Math.max(0, (original ?? size) - size);
      }
    }
  }
}
