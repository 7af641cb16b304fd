/** Contract: archive.md §1, "upload part size". */
export const PART_BYTES = 10_000_000;
/** S3 takes part numbers 1 to 10,000. */
export const MAX_PARTS = 10_000;
/** Parts before their sizes grow. Some gateways want all parts of equal size, and 50 GB covers nearly every archive. */
const CONSTANT_PARTS = 5_000;
/** With this factor per part, 10,000 parts reach 5 TB, S3's largest object; 100 GB ends with parts of 75 MB. */
const GROWTH = 1.0013;

/**
 * Size of part `number` (1-based). With a usable size hint all parts are equal; otherwise they grow once the count
 * gets high, so that a stream of unknown length never runs out of part numbers.
 */
export function partBytes(number: number, sizeHint = 0): number {
  // A tenth of the part numbers is kept back for a body longer than its hint.
  const base = Math.max(PART_BYTES, Math.ceil(sizeHint / (MAX_PARTS * 0.9)));
  return number <= CONSTANT_PARTS ? base : Math.ceil(base * GROWTH ** (number - CONSTANT_PARTS));
}

/** Bytes of the next part that may be collected while one part is sent: enough to keep a server busy. */
const AHEAD_BYTES = 1_000_000;
/** Factor of spare space. With it, growing parts do not need new space for each part. */
const SPACE_TO_GROW = 1.2;

/**
 * Space of the usual size that no body uses any more. The next body gets it until the garbage collector has taken it.
 * The collector takes its time with memory that is not on its own heap, so without this list each body would add to the
 * memory of the process.
 */
const spare: WeakRef<Buffer>[] = [];
const USUAL_BYTES = PART_BYTES + AHEAD_BYTES;

function spaceOf(bytes: number): Buffer {
  while (bytes === USUAL_BYTES && spare.length > 0) {
    const space = spare.pop()?.deref();
    if (space) return space;
  }
  return Buffer.allocUnsafeSlow(bytes);
}

/**
 * Regroups a body into parts: every part but the last has `sizeOf(n)` bytes. The parts lie one behind the other in a
 * ring that is little larger than a part. So the memory does not grow with the length of the body.
 */
export class PartCollector {
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly most: number;
  private rest: Buffer = Buffer.alloc(0);
  private ring: Buffer = Buffer.alloc(0);
  /** Where the part that was collected last ends in the ring, and the length of that part. */
  private end = 0;
  private length = 0;
  private number = 0;

  /** @param most bytes that the body can have */
  constructor(
    chunks: AsyncIterable<Buffer>,
    private readonly sizeOf: (number: number) => number,
    most = Infinity,
  ) {
    this.most = Math.max(most, 1);
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  /** Waits for a byte behind the last part. @throws what the body throws */
  async hasMore(): Promise<boolean> {
    while (this.rest.length === 0) {
      const next = await this.chunks.next();
      if (next.done) return false;
      this.rest = next.value;
    }
    return true;
  }

  /**
   * Collects a part; it is empty where the body has ended.
   * @param arrived settles when the part before has arrived; the space of that part is used again only after this
   * @returns the part's bytes, in one piece or two; the very first part is in one
   * @throws what the body, or `arrived`, throws
   */
  async next(arrived?: Promise<unknown>): Promise<Buffer[]> {
    const wanted = Math.min(this.sizeOf(++this.number), this.most);
    let room = this.ring.length - this.length;
    if (this.ring.length < Math.min(wanted + AHEAD_BYTES, this.most)) {
      const grown = this.number === 1 ? wanted : Math.ceil(wanted * SPACE_TO_GROW);
      this.ring = spaceOf(Math.min(grown + AHEAD_BYTES, this.most));
      this.end = 0;
      room = this.ring.length;
    }
    const { ring, end: start } = this;
    let bytes = 0;
    while (bytes < wanted && (await this.hasMore())) {
      if (bytes === room) {
        await arrived;
        room = ring.length;
      }
      const copied = this.rest.copy(ring, (start + bytes) % ring.length, 0, Math.min(wanted, room) - bytes);
      this.rest = this.rest.subarray(copied);
      bytes += copied;
    }
    this.length = bytes;
    this.end = (start + bytes) % ring.length;
    const inOne = ring.subarray(start, start + bytes);
    return inOne.length === bytes ? [inOne] : [inOne, ring.subarray(0, this.end)];
  }

  /** Stops reading the body, which may still hold more. */
  async leave(): Promise<void> {
    await this.chunks.return?.();
  }

  /**
   * Gives the space to the next body. It may be called only after all has arrived: a failed connection may still read
   * the space.
   */
  recycle(): void {
    if (this.ring.length === USUAL_BYTES) spare.push(new WeakRef(this.ring));
    this.ring = Buffer.alloc(0);
  }
}
