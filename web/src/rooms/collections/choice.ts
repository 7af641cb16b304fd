/** What was ticked and unticked, by id; it is sent when the person saves. */
export interface Choice {
  /** Items: whether they shall be in the collection, where that differs from now. */
  readonly items: ReadonlyMap<string, boolean>;
  /** Workflows all of whose crawls shall be added. */
  readonly workflows: ReadonlySet<string>;
}
export const NOTHING: Choice = { items: new Map(), workflows: new Set() };

/** The API finds whole names and whole first addresses; `NameSearch` offers both. */
export const nameFilter = (name: string): { name?: string; firstSeed?: string } =>
  name === '' ? {} : /^https?:\/\//.test(name) ? { firstSeed: name } : { name };
