import type { Found } from './mark.js';

/** A position relative to others, given by their names. */
export interface Placed {
  readonly name: string;
  readonly after: readonly string[];
}

/** @param after one name, or several */
export const placed = (name: string, after: string | readonly string[] = []): Placed => ({
  name,
  after: typeof after === 'string' ? [after] : after,
});

/** @throws Error when two have the same name: the program then does not start */
export function byName<M, T>(
  what: string,
  found: readonly Found<M, T>[],
  nameOf: (mark: M) => string,
): Map<string, Found<M, T>> {
  const named = new Map<string, Found<M, T>>();
  for (const one of found) {
    const name = nameOf(one.mark);
    const other = named.get(name);
    if (other) throw new Error(`${what} "${name}" is there twice: ${other.where} and ${one.where}.`);
    named.set(name, one);
  }
  return named;
}

/** Finds one item for each of these names. @throws Error for a name that no item has, or that two have */
export function oneEach<N extends string, T>(
  what: string,
  names: readonly N[],
  found: readonly Found<N, T>[],
): Map<N, T> {
  const named = byName(what, found, (name) => name);
  return new Map(
    names.map((name) => {
      const one = named.get(name);
      if (!one) throw new Error(`${what} "${name}" is not there.`);
      return [name, one.wearer];
    }),
  );
}

/** Each item after those that it names. @throws Error for a name that is missing, used twice or in a circle */
export function inOrder<M extends Placed, T>(what: string, found: readonly Found<M, T>[]): Found<M, T>[] {
  const named = byName(what, found, ({ name }) => name);
  const ordered = new Set<Found<M, T>>();
  const place = (one: Found<M, T>, waiting: readonly string[]): void => {
    if (ordered.has(one)) return;
    const { name, after } = one.mark;
    const path = [...waiting, name];
    if (waiting.includes(name)) throw new Error(`${what}: each waits for the next: ${path.join(' -> ')}.`);
    for (const earlier of after) {
      const first = named.get(earlier);
      if (!first) throw new Error(`${what} "${name}" (${one.where}) comes after "${earlier}", which is not there.`);
      place(first, path);
    }
    ordered.add(one);
  };
  for (const one of found) place(one, []);
  return [...ordered];
}
