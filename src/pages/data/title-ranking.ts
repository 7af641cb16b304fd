/** A page that the search for one of several words found. */
export interface Match {
  readonly id: string;
  /** The word's part of the score. */
  readonly part: number;
  /** The title's score for all words. */
  readonly score: number;
}

/** Orders matches by score, the best first or last; equal ones by id. */
export const byRank =
  (isReversed: boolean, valueOf: (match: Match) => number) =>
  (a: Match, b: Match): number => {
    const order = valueOf(b) - valueOf(a) || (a.id < b.id ? -1 : Number(a.id > b.id));
    return isReversed ? -order : order;
  };

/** The sources of matches. */
export interface Matches {
  /** For each word all its matches, in order of its parts. */
  readonly byWord: readonly AsyncIterable<Match>[];
  /** Further matches in no order; all of them are read. */
  readonly others: readonly (AsyncIterable<Match> | Iterable<Match>)[];
  /** Called once when much was read and nothing is decided. */
  readonly byNumber?: () => Promise<MatchesByNumber>;
}

/** All matches with several of the words; from the other end, those with few. */
export interface MatchesByNumber {
  /** Matches in no order. */
  readonly found: readonly Match[];
  /** Matches in order of their parts, which here are bounds for all later scores. */
  readonly ordered: readonly AsyncIterable<Match>[];
  /** Most words that any other match has; from the other end, the fewest. */
  readonly words: number;
}

/** Matches that are read, beside twice the wanted number, before `byNumber` is asked. */
const PATIENCE = 100;

/**
 * The first of all matches by score. Ordered streams are read in turn (Fagin's threshold algorithm) until no later
 * match can be better than those found. It holds only the wanted number. When short titles have one of the words and
 * long ones several, or none has, that would read most titles. Then it asks for those with several.
 */
export async function bestOf(matches: Matches, wanted: number, isReversed: boolean): Promise<Match[]> {
  const best = new Best(
    wanted,
    byRank(isReversed, ({ score }) => score),
  );
  for (const other of matches.others) for await (const match of other) best.add(match);
  let [words, byNumber] = [isReversed ? 1 : matches.byWord.length, new Heads([])];
  const byWord = new Heads(matches.byWord);
  try {
    await byWord.open();
    for (let read = 0; wanted > 0; read += 1) {
      if (read === PATIENCE + 2 * wanted && matches.byNumber) {
        const { found, ordered, words: left } = await matches.byNumber();
        for (const match of found) best.add(match);
        [words, byNumber] = [left, new Heads(ordered)];
        await byNumber.open();
      }
      const undecided = [[byNumber, 1] as const, [byWord, words] as const].find(([{ live }, number]) => {
        const bound = boundOf(live, number, isReversed);
        return bound !== null && !best.isDecided(bound);
      });
      if (!undecided) break;
      best.add(await undecided[0].take());
    }
    return best.matches;
  } finally {
    await Promise.all([byWord.close(), byNumber.close()]);
  }
}

/**
 * A bound for all later matches; null when there are none. A later match comes after the head of each of its words. So
 * its score is at most the sum of the heads' greatest parts, for the most words it can have. From the other end it is
 * at least the sum of the least parts, for the fewest words.
 */
function boundOf(heads: readonly Match[], words: number, isReversed: boolean): Match | null {
  if (heads.length === 0 || (isReversed && heads.length < words)) return null;
  const first = [...heads].sort(byRank(isReversed, ({ part }) => part)).slice(0, words);
  const score = first.reduce((total, { part }) => total + part, 0);
  // A match equal to that sum comes after each of these heads by its id.
  const ids = first.map(({ id }) => id).sort();
  return { id: (isReversed ? ids[0] : ids.at(-1)) ?? '', part: score, score };
}

/** Streams with one match of each read in advance. */
class Heads {
  private readonly sources: readonly AsyncIterator<Match>[];
  private heads: IteratorResult<Match>[] = [];
  private at = -1;

  constructor(streams: readonly AsyncIterable<Match>[]) {
    this.sources = streams.map((stream) => stream[Symbol.asyncIterator]());
  }

  async open(): Promise<void> {
    this.heads = await Promise.all(this.sources.map((source) => source.next()));
  }

  get live(): Match[] {
    return this.heads.flatMap((head) => (head.done ? [] : [head.value]));
  }

  /** Takes from each stream in turn. @throws when none is left */
  async take(): Promise<Match> {
    do this.at = (this.at + 1) % this.heads.length;
    while (this.heads[this.at]?.done);
    const [head, source] = [this.heads[this.at], this.sources[this.at]];
    if (!head || head.done || !source) throw new Error('no matches are left');
    this.heads[this.at] = await source.next();
    return head.value;
  }

  async close(): Promise<void> {
    await Promise.all(this.sources.map((source) => source.return?.()));
  }
}

class Best {
  readonly matches: Match[] = [];
  private readonly ids = new Set<string>();

  constructor(
    private readonly wanted: number,
    private readonly compare: (a: Match, b: Match) => number,
  ) {}

  isDecided(bound: Match): boolean {
    const last = this.matches[this.wanted - 1];
    return last !== undefined && this.compare(last, bound) <= 0;
  }

  add(match: Match): void {
    if (this.ids.has(match.id)) return;
    this.matches.splice(this.placeOf(match), 0, match);
    this.ids.add(match.id);
    const over = this.matches.length > this.wanted ? this.matches.pop() : undefined;
    if (over) this.ids.delete(over.id);
  }

  private placeOf(match: Match): number {
    let [from, to] = [0, this.matches.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.matches[middle];
      if (other && this.compare(other, match) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
