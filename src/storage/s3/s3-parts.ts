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

/** Regroups chunks into parts: every part but the last has `sizeOf(n)` bytes or up to one chunk more. */
export async function* intoParts(
  chunks: AsyncIterable<Buffer>,
  sizeOf: (number: number) => number,
): AsyncGenerator<Buffer> {
  let collected: Buffer[] = [];
  let bytes = 0;
  let number = 1;
  for await (const chunk of chunks) {
    collected.push(chunk);
    bytes += chunk.length;
    const wanted = sizeOf(number);
    if (bytes < wanted) continue;
    const all = Buffer.concat(collected, bytes);
    yield all.subarray(0, wanted);
    number += 1;
    collected = bytes > wanted ? [all.subarray(wanted)] : [];
    bytes -= wanted;
  }
  if (bytes > 0 || number === 1) yield Buffer.concat(collected, bytes);
}
