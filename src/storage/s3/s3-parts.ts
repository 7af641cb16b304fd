/** Contract: archive.md §1, "upload part size". */
export const PART_BYTES = 10_000_000;
/** S3 takes part numbers 1 to 10,000. */
export const MAX_PARTS = 10_000;
/** Parts before sizes grow: some gateways want all parts of equal size, and 50 GB covers nearly every archive. */
const CONSTANT_PARTS = 5_000;
/** With this factor per part, 10,000 parts reach 5 TB, S3's largest object; 100 GB ends with parts of 75 MB. */
const GROWTH = 1.0013;

/**
 * Size of part `number` (1-based). With a usable size hint all parts are equal; otherwise they grow once the count
 * gets high, so that a stream of unknown length never runs out of part numbers.
 */
export function partBytes(number: number, sizeHint = 0): number {
  // A tenth of the numbers is kept back for a body longer than its hint.
  const base = Math.max(PART_BYTES, Math.ceil(sizeHint / (MAX_PARTS * 0.9)));
  return number <= CONSTANT_PARTS ? base : Math.ceil(base * GROWTH ** (number - CONSTANT_PARTS));
}

/**
 * Regroups chunks into parts: every part but the last has `sizeOf(n)` bytes. Two buffers take turns, so that memory
 * stays what it is however long the body is: a part is overwritten once the one after the next is asked for.
 */
export async function* intoParts(
  chunks: AsyncIterable<Buffer>,
  sizeOf: (number: number) => number,
): AsyncGenerator<Buffer> {
  const buffers: Buffer[] = [];
  let number = 1;
  let bytes = 0;
  const open = (): Buffer => {
    const wanted = Math.max(sizeOf(number), 1);
    const turn = number % 2;
    const mine = buffers[turn];
    const buffer = mine && mine.length >= wanted ? mine : Buffer.allocUnsafeSlow(wanted);
    buffers[turn] = buffer;
    return buffer.subarray(0, wanted);
  };
  let part: Buffer | null = null;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      part ??= open();
      const copied = chunk.copy(part, bytes, at);
      at += copied;
      bytes += copied;
      if (bytes < part.length) continue;
      yield part;
      number += 1;
      bytes = 0;
      part = null;
    }
  }
  if (bytes > 0 || number === 1) yield part?.subarray(0, bytes) ?? Buffer.alloc(0);
}
