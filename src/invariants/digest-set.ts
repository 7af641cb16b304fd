/** Bytes of a digest that are kept. Half a SHA-256 is as good as a random id. */
export const KEPT_BYTES = 16;
const WORDS = KEPT_BYTES / 4;
const FIRST_SLOTS = 1_024;
/** A fuller table would be searched for long. */
const FULL = 0.75;

/** What is known of a digest. A slot without a mark is free. */
const REFERRED = 1;
const FOUND = 2;

/**
 * The digests of an item: which of them its records refer to, and of which a body was found. It takes 23 to 46 bytes for
 * each digest, and while it grows half as much again.
 */
export class DigestSet {
  private words = new Uint32Array(FIRST_SLOTS * WORDS);
  private marks = new Uint8Array(FIRST_SLOTS);
  private held = 0;
  private missing = 0;

  /** Number of digests. */
  get size(): number {
    return this.held;
  }

  /** Number of digests that are referred to and not found. */
  get lacking(): number {
    return this.missing;
  }

  /** A record refers to the body. */
  refer(digest: Buffer): void {
    this.mark(this.slotFor(digest), REFERRED);
  }

  /** The item has the body itself. */
  have(digest: Buffer): void {
    this.mark(this.slotFor(digest), FOUND);
  }

  /** Another item has the body, which this one may need or not. */
  meet(digest: Buffer): void {
    const slot = this.slotOf(digest);
    if (this.marks[slot] !== 0) this.mark(slot, FOUND);
  }

  lacks(digest: Buffer): boolean {
    return this.marks[this.slotOf(digest)] === REFERRED;
  }

  private mark(slot: number, mark: number): void {
    const before = this.marks[slot]!;
    const after = before | mark;
    this.missing += Number(after === REFERRED) - Number(before === REFERRED);
    this.marks[slot] = after;
  }

  /** The place of a digest, which is in the set afterwards. Its caller marks it. */
  private slotFor(digest: Buffer): number {
    const slot = this.slotOf(digest);
    if (this.marks[slot] !== 0) return slot;
    if (this.held + 1 > this.marks.length * FULL) {
      this.grow();
      return this.slotFor(digest);
    }
    this.held += 1;
    for (let word = 0; word < WORDS; word++) this.words[slot * WORDS + word] = digest.readUInt32BE(word * 4);
    return slot;
  }

  /** Where the digest is, or would be. */
  private slotOf(digest: Buffer): number {
    const a = digest.readUInt32BE(0);
    const last = this.marks.length - 1;
    for (let slot = a & last; ; slot = (slot + 1) & last) {
      if (this.marks[slot] === 0) return slot;
      const at = slot * WORDS;
      let same = 0;
      while (same < WORDS && this.words[at + same] === digest.readUInt32BE(same * 4)) same += 1;
      if (same === WORDS) return slot;
    }
  }

  private grow(): void {
    const [words, marks] = [this.words, this.marks];
    this.words = new Uint32Array(words.length * 2);
    this.marks = new Uint8Array(marks.length * 2);
    const last = this.marks.length - 1;
    for (let old = 0; old < marks.length; old++) {
      if (marks[old] === 0) continue;
      let slot = words[old * WORDS]! & last;
      while (this.marks[slot] !== 0) slot = (slot + 1) & last;
      this.words.set(words.subarray(old * WORDS, (old + 1) * WORDS), slot * WORDS);
      this.marks[slot] = marks[old]!;
    }
  }
}
