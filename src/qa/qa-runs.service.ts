import { Injectable } from '@nestjs/common';
import { CrawlLogsRepository } from '../crawls/data/crawl-logs.repository.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { wireTime } from '../common/validation/date-time.js';
import { isSuccessful } from '../items/data/item-state.facts.js';
import type { Item } from '../items/data/item.schema.js';
import type { QaRun } from '../items/data/qa-run.schema.js';
import { FileRemover } from '../objects/file-remover.js';
import { ItemDownloads, type NamedDownload } from '../items/item-downloads.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { PagesRepository } from '../pages/data/pages.repository.js';
import { QaRunsRepository } from './data/qa-runs.repository.js';
import { QaRunNoResources, QaRunNotFinished, QaRunNotFound } from './qa.errors.js';

/** Reads, downloads and deletes QA runs of a crawl. Contract: crawling §8. */
@Injectable()
export class QaRunsService {
  constructor(
    private readonly qaRuns: QaRunsRepository,
    private readonly pages: PagesRepository,
    private readonly logs: CrawlLogsRepository,
    private readonly files: FileRemover,
    private readonly usage: OrgUsage,
    private readonly downloads: ItemDownloads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The active run first, then the finished ones from the latest. */
  list(crawl: Item, { skipFailed }: { skipFailed: boolean }): QaRun[] {
    const finished = Object.values(crawl.qaFinished ?? {}).sort(
      (a, b) => (b.finished?.getTime() ?? 0) - (a.finished?.getTime() ?? 0),
    );
    const runs = crawl.qa ? [crawl.qa, ...finished] : finished;
    return skipFailed ? runs.filter(({ state }) => isSuccessful(state)) : runs;
  }

  /** @throws QaRunNotFound, for the active run too */
  finished(crawl: Item, qaRunId: string): QaRun {
    const run = crawl.qaFinished?.[qaRunId];
    if (!run) throw new QaRunNotFound();
    return run;
  }

  /** @throws QaRunNotFinished, QaRunNotFound, QaRunNoResources */
  download(org: Org, crawl: Item, qaRunId: string): NamedDownload {
    if (crawl.qa?.id === qaRunId) throw new QaRunNotFinished();
    const run = this.finished(crawl, qaRunId);
    if (!run.finished) throw new QaRunNotFinished();
    if (run.files.length === 0) throw new QaRunNoResources();
    const metadata = { type: 'qaRun', id: qaRunId, crawlId: crawl._id, organization: org.slug };
    return {
      download: this.downloads.combined(org, [{ itemId: qaRunId, files: run.files }], metadata),
      filename: `qa-${wireTime(run.finished)}-crawl-${crawl._id}.wacz`,
    };
  }

  /**
   * Deletes finished runs with their findings, files and logs.
   * @returns how many were deleted
   * @throws QaRunNotFound before anything is deleted
   */
  async delete(crawl: Item, qaRunIds: readonly string[]): Promise<number> {
    const ids = [...new Set(qaRunIds)];
    for (const id of ids) this.finished(crawl, id);
    let deleted = 0;
    for (const id of ids) if (await this.deleteOne(crawl, id)) deleted++;
    return deleted;
  }

  /** Results and logs go first: if the process dies before the run is deleted, they can be deleted again. */
  private async deleteOne({ oid, _id: crawlId }: Item, qaRunId: string): Promise<boolean> {
    await this.pages.unsetQa(oid, crawlId, [qaRunId]);
    await this.logs.deleteOfQaRun(oid, crawlId, qaRunId);
    const removed = await this.unitOfWork.run(async (tx) => {
      const run = await this.qaRuns.remove(oid, crawlId, qaRunId, tx);
      if (!run) return false;
      const bytes = run.files.reduce((sum, { size }) => sum + size, 0);
      await this.usage.addBytes(oid, 'crawl', -bytes, tx);
      return { plan: await this.files.plan(oid, run.files, tx) };
    });
    if (!removed) return false;
    await this.files.carryOut(removed.plan);
    return true;
  }
}
