/** The entry of a plain object under a name that came from outside; never what every object inherits. */
export const own = <T>(entries: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined =>
  entries && Object.hasOwn(entries, name) ? entries[name] : undefined;
