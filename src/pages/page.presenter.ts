import { wireTime, wireTimeOrNull } from '../common/validation/date-time.js';
import type { Page, StoredPageNote } from './data/page.schema.js';
import type { PageNote } from './dto/page-notes.dto.js';
import type { PageOutWithSingleQA, PageOut } from './dto/pages.dto.js';

export const toPageNote = ({ id, text, created, userid, userName }: StoredPageNote): PageNote => ({
  id,
  text,
  created: wireTime(created),
  userid,
  userName,
});

/** Converts a page for every list. Contract: archive §6. */
export const toPageOut = (page: Page): PageOut => ({
  id: page._id,
  oid: page.oid,
  crawl_id: page.crawl_id,
  url: page.url,
  title: page.title ?? null,
  ts: wireTimeOrNull(page.ts),
  loadState: page.loadState ?? null,
  status: page.status ?? 200,
  mime: page.mime ?? null,
  filename: page.filename ?? null,
  depth: page.depth ?? null,
  favIconUrl: page.favIconUrl ?? null,
  isSeed: page.isSeed ?? false,
  userid: page.userid ?? null,
  modified: wireTimeOrNull(page.modified),
  approved: page.approved ?? null,
  notes: (page.notes ?? []).map(toPageNote),
  isFile: page.isFile ?? false,
  isError: page.isError ?? false,
});

/** Converts a page with the values of one QA run; `qa` is null when the run has none for it. */
export function toPageOutWithQa(page: Page, qaRunId: string): PageOutWithSingleQA {
  const qa = page.qa?.[qaRunId];
  return {
    ...toPageOut(page),
    status: page.status ?? null,
    qa: qa
      ? {
          screenshotMatch: qa.screenshotMatch ?? null,
          textMatch: qa.textMatch ?? null,
          resourceCounts: qa.resourceCounts ?? null,
        }
      : null,
  };
}
