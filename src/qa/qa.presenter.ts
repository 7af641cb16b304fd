import { wireTime, wireTimeOrNull } from '../common/validation/date-time.js';
import type { QaRun } from '../items/data/qa-run.schema.js';
import { stateReasonOf } from '../items/state-reason.js';
import type { CrawlFileOut } from '../items/dto/items.dto.js';
import type { QARunOut, QARunWithResources } from './dto/qa.dto.js';

const statsOf = ({ stats }: QaRun) => ({
  found: stats?.found ?? 0,
  done: stats?.done ?? 0,
  size: stats?.size ?? 0,
  req_crawls: stats?.req_crawls ?? [],
});

export const toQaRunOut = (run: QaRun): QARunOut => ({
  id: run.id,
  userName: run.userName ?? null,
  started: wireTime(run.started),
  finished: wireTimeOrNull(run.finished),
  state: run.state,
  stateReason: stateReasonOf(run),
  crawlExecSeconds: run.crawlExecSeconds ?? 0,
  stats: statsOf(run),
});

/** The files are in `resources`; the stored list is never shown. */
export const toQaRunWithResources = (run: QaRun, resources: CrawlFileOut[]): QARunWithResources => ({
  ...toQaRunOut(run),
  userid: run.userid,
  image: run.image ?? null,
  files: [],
  fileSize: run.fileSize ?? 0,
  fileCount: run.fileCount ?? 0,
  resources,
});
