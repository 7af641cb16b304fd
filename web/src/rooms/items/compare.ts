import type { ArchivedPage } from './queries';
import type { Change } from './searches';

/** One address in two crawls. */
export interface Pair {
  readonly url: string;
  readonly before?: ArchivedPage;
  readonly after?: ArchivedPage;
}

const mime = (page: ArchivedPage): string => page.mime?.split(';')[0] ?? '';
const isChanged = (before: ArchivedPage, after: ArchivedPage): boolean =>
  before.status !== after.status || (before.title ?? '') !== (after.title ?? '') || mime(before) !== mime(after);

/** Puts the pages of two crawls together by their addresses. */
export function compared(
  before: ReadonlyMap<string, ArchivedPage>,
  after: ReadonlyMap<string, ArchivedPage>,
): Readonly<Record<Change, readonly Pair[]>> {
  const pairs: Record<Change, Pair[]> = { new: [], gone: [], changed: [], same: [] };
  for (const [url, page] of after) {
    const old = before.get(url);
    if (!old) pairs.new.push({ url, after: page });
    else pairs[isChanged(old, page) ? 'changed' : 'same'].push({ url, before: old, after: page });
  }
  for (const [url, page] of before) if (!after.has(url)) pairs.gone.push({ url, before: page });
  return pairs;
}
