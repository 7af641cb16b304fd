/** The last file of a page, after which the next page begins, and the number of all files. */
export interface WebdataCursor {
  readonly oid: string;
  readonly started: Date;
  readonly itemId: string;
  /** Position among the item's files. */
  readonly index: number;
  readonly count: number;
}

export const writeCursor = ({ oid, started, itemId, index, count }: WebdataCursor): string =>
  Buffer.from(JSON.stringify([oid, started.getTime(), itemId, index, count])).toString('base64url');

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** @returns null for text that `writeCursor` has not written */
export function readCursor(text: string): WebdataCursor | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 5) return null;
  const [oid, started, itemId, index, count] = parts as unknown[];
  if (typeof oid !== 'string' || !UUID.test(oid) || typeof itemId !== 'string') return null;
  if (!isCount(index) || !isCount(count) || !Number.isSafeInteger(started)) return null;
  const date = new Date(started as number);
  return Number.isNaN(date.getTime()) ? null : { oid, started: date, itemId, index, count };
}
