import type { PageQueryPlan } from './page-query.js';
import type { Page } from './page.schema.js';

/** MongoDB merges ordered scans of up to 200 items (internalQueryMaxScansToExplode). Beyond it sorts everything. */
export const ITEMS_PER_MERGE = 150;

export const chunksOf = <T>(values: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

type Value = string | number | boolean | Date | null | undefined;

function rank(value: Value): number {
  if (value === null || value === undefined) return 0;
  return typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : typeof value === 'boolean' ? 3 : 4;
}

/** Compares two values in the database's order. */
function compare(a: Value, b: Value): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  const [left, right] = [Number(a ?? 0), Number(b ?? 0)];
  return left - right;
}

const valueOf = (page: Page, field: string): Value =>
  field === 'notes.0.id' ? page.notes?.[0]?.id : (page[field as keyof Page] as Value);

/** Compares pages as the database does in this order, which has single values only. */
export function comparePages(sort: PageQueryPlan['sort']): (a: Page, b: Page) => number {
  const fields = Object.entries(sort) as [string, 1 | -1][];
  return (a, b) => {
    for (const [field, direction] of fields) {
      const order = compare(valueOf(a, field), valueOf(b, field)) * direction;
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** Merges ordered sequences into one. It holds the next element of each, and ends all of them when it is left. */
export async function* mergeOrdered<T>(
  streams: readonly AsyncIterable<T>[],
  compare: (a: T, b: T) => number,
): AsyncGenerator<T> {
  const sources = streams.map((stream) => stream[Symbol.asyncIterator]());
  try {
    const heads = await Promise.all(sources.map((source) => source.next()));
    for (;;) {
      let first = -1;
      for (const [n, head] of heads.entries()) {
        const best = heads[first];
        if (!head.done && (!best || best.done || compare(head.value, best.value) < 0)) first = n;
      }
      const [head, source] = [heads[first], sources[first]];
      if (!head || head.done || !source) return;
      yield head.value;
      heads[first] = await source.next();
    }
  } finally {
    await Promise.all(sources.map((source) => source.return?.()));
  }
}
