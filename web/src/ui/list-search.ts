/** What the address says of a list: its page and order. Rooms add their filters. */
export interface ListSearch {
  readonly page?: number;
  readonly sortBy?: string;
  /** 1: ascending, −1: descending. */
  readonly dir?: 1 | -1;
}

/** Reads the common part of a list's address. What is malformed is left out, so that a shared link always opens. */
export function listSearch(search: Record<string, unknown>): ListSearch {
  const page = Number(search['page']);
  const dir = Number(search['dir']);
  return {
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
    ...(typeof search['sortBy'] === 'string' ? { sortBy: search['sortBy'] } : {}),
    ...(dir === 1 || dir === -1 ? { dir } : {}),
  };
}

/** A filter that is text; an empty one does not stand in the address. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/** A filter of several values. */
export const textsOf = (value: unknown): readonly string[] | undefined => {
  const texts = (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? []);
  return texts.length > 0 ? texts : undefined;
};
