/** Looks up an entry of a plain object by a name from outside, and never returns inherited properties. */
export const own = <T>(entries: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined =>
  entries && Object.hasOwn(entries, name) ? entries[name] : undefined;
