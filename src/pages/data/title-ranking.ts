/** A page as the search for one of several words met it. */
export interface Match {
  id: string;
  /** What this word adds to the score. */
  part: number;
  /** The score of the title for all words. */
  score: number;
}

/** The best first, or last; the id decides between equals. */
export const byRank =
  (isReversed: boolean, valueOf: (match: Match) => number) =>
  (a: Match, b: Match): number => {
    const order = valueOf(b) - valueOf(a) || (a.id < b.id ? -1 : Number(a.id > b.id));
    return isReversed ? -order : order;
  };

/** Where matches come from. */
export interface Matches {
  /** Each in order of its parts. */
  ordered: readonly AsyncIterable<Match>[];
  /** In no order: all are read. */
  others: readonly (AsyncIterable<Match> | Iterable<Match>)[];
}

/**
 * The first of all matches by score. What is in order is read alternately (Fagin's threshold algorithm) until nothing
 * that is still to come can be better than what was found; holds no more than is wanted.
 */
export async function bestOf({ ordered, others }: Matches, wanted: number, isReversed: boolean): Promise<Match[]> {
  const sources = ordered.map((stream) => stream[Symbol.asyncIterator]());
  const best = new Best(
    wanted,
    byRank(isReversed, ({ score }) => score),
  );
  try {
    for (const other of others) for await (const match of other) best.add(match);
    const heads = await Promise.all(sources.map((source) => source.next()));
    for (let at = 0; wanted > 0; at = (at + 1) % heads.length) {
      const live = heads.flatMap((head) => (head.done ? [] : [head.value]));
      if (live.length === 0 || best.isDecided(boundOf(live, isReversed))) break;
      const [head, source] = [heads[at], sources[at]];
      if (!head || head.done || !source) continue;
      best.add(head.value);
      heads[at] = await source.next();
    }
    return best.matches;
  } finally {
    await Promise.all(sources.map((source) => source.return?.()));
  }
}

/**
 * What no match that is still to come stands before. It is in no stream before the head: so its score is at most the
 * sum of the heads' parts; from the other end, at least one of them.
 */
function boundOf(heads: readonly Match[], isReversed: boolean): Match {
  const [first] = [...heads].sort(byRank(isReversed, ({ part }) => part)) as [Match];
  if (isReversed) return { ...first, score: first.part };
  const lastId = heads.reduce((last, { id }) => (id > last ? id : last), '');
  const sum = heads.reduce((total, { part }) => total + part, 0);
  return { id: lastId, part: sum, score: sum };
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
