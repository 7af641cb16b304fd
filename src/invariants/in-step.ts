/** The entries of one key on both sides. */
export type Step<L, R> = readonly [key: string, left: L[], right: R | null];

const isBefore = (a: string, b: string): boolean => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;

/**
 * Walks two sequences side by side, both in the byte order of their keys. It holds one key of each. A key may come
 * several times on the left.
 */
export async function* inStep<L extends { key: string }, R extends { key: string }>(
  left: AsyncIterable<L>,
  right: AsyncIterable<R>,
): AsyncGenerator<Step<L, R>> {
  const [lefts, rights] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  try {
    let [l, r] = await Promise.all([lefts.next(), rights.next()]);
    while (!l.done || !r.done) {
      const key = l.done || (!r.done && isBefore(r.value.key, l.value.key)) ? (r.value as R).key : (l.value as L).key;
      const same: L[] = [];
      for (; !l.done && l.value.key === key; l = await lefts.next()) same.push(l.value);
      const other = !r.done && r.value.key === key ? r.value : null;
      if (other) r = await rights.next();
      yield [key, same, other];
    }
  } finally {
    await Promise.all([lefts.return?.(), rights.return?.()]);
  }
}
