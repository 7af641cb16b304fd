/**
 * Works on up to `atOnce` values at the same time and yields the results in the order of the values. Nothing is held but
 * those. When one fails, those under way are waited for.
 */
export async function* inOrderAhead<T, R>(
  values: AsyncIterable<T>,
  atOnce: number,
  work: (value: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const underWay: Promise<R>[] = [];
  try {
    for await (const value of values) {
      const begun = work(value);
      // A failure is told when its turn comes.
      begun.catch(() => undefined);
      underWay.push(begun);
      if (underWay.length >= atOnce) yield await (underWay.shift() as Promise<R>);
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<R>);
  } finally {
    await Promise.allSettled(underWay);
  }
}
