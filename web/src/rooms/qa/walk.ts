import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { usePages, type QaPageRow, type Run } from './queries';

const route = getRouteApi('/member/o/$slug/items/$id/review');
export const PART_SIZE = 50;

/** The part of the list that stands beside the page, and the way through it. */
export function useWalk(id: string, run: Run | undefined) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const part = search.part ?? 1;
  const list = usePages(id, run, {
    ...search,
    page: part,
    pageSize: PART_SIZE,
    sortBy: search.sortBy ?? (run ? 'screenshotMatch' : 'title'),
    dir: search.dir ?? 1,
  });
  const pages = list.data?.items ?? [];
  const total = list.data?.total ?? 0;
  const index = pages.findIndex((page) => page.id === search.pageId);
  const [wanted, setWanted] = useState<'first' | 'last' | null>(null);
  const show = (page: QaPageRow | undefined): void => {
    if (page) void navigate({ search: (now) => ({ ...now, pageId: page.id }), replace: true, resetScroll: false });
  };
  const showPart = (next: number, which: 'first' | 'last'): void => {
    setWanted(which);
    void navigate({ search: (now) => ({ ...now, part: next }), replace: true, resetScroll: false });
  };
  // A page is always shown where there is one; after a change of part its first or last.
  const edge = wanted === 'last' ? pages.at(-1) : pages[0];
  const isLacking = !list.isPlaceholderData && edge !== undefined && (wanted !== null || search.pageId === undefined);
  useEffect(() => {
    if (!isLacking) return;
    setWanted(null);
    void navigate({ search: (now) => ({ ...now, pageId: edge.id }), replace: true, resetScroll: false });
  }, [isLacking, edge, navigate]);
  const hasNext = index >= 0 ? index < pages.length - 1 || part * PART_SIZE < total : pages.length > 0;
  const hasPrevious = index > 0 || part > 1;
  return {
    list,
    pages,
    total,
    part,
    show,
    position: index < 0 ? null : (part - 1) * PART_SIZE + index + 1,
    hasNext,
    hasPrevious,
    next: () => (index < pages.length - 1 ? show(pages[index + 1]) : hasNext && showPart(part + 1, 'first')),
    previous: () => (index > 0 ? show(pages[index - 1]) : part > 1 && showPart(part - 1, 'last')),
  };
}
export type Walk = ReturnType<typeof useWalk>;
