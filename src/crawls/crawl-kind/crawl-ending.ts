import { Injectable } from '@nestjs/common';
import { maySkipPages } from '../../../formats/page-skip.js';
import { CollectionsReads } from '../../collections/data/collections.reads.js';
import { parseDateTime } from '../../common/validation/date-time.js';
import { Requirements } from '../../dedupe/requirements.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { RecordFact } from '../../events/domain-events.js';
import { FileRemover } from '../../objects/file-remover.js';
import { unseenFile } from '../../objects/object-name.js';
import { isSuccessful } from '../../items/data/item-state.facts.js';
import type { Item } from '../../items/data/item.schema.js';
import { KeptItems } from '../../items/deletion/kept-items.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import { PagesRepository } from '../../pages/data/pages.repository.js';
import { ProfilesRepository } from '../../profiles/data/profiles.repository.js';
import { WorkflowsReads } from '../../workflows/data/workflows.reads.js';
import { RunsRepository } from '../data/runs.repository.js';
import type { RunEnd } from '../run/run-kind.js';

/** What follows from a crawl's end, in the transaction that ends it. Contract: crawling §11.8. */
@Injectable()
export class CrawlEnding {
  constructor(
    private readonly runs: RunsRepository,
    private readonly pages: PagesRepository,
    private readonly workflows: WorkflowsReads,
    private readonly collections: CollectionsReads,
    private readonly profiles: ProfilesRepository,
    private readonly usage: OrgUsage,
    private readonly files: FileRemover,
    private readonly kept: KeptItems,
    private readonly requirements: Requirements,
  ) {}

  /**
   * Reads what is too slow to read in a transaction: the counts of the pages, the collections to add the crawl to, and
   * what its files refer to.
   */
  async prepare(end: RunEnd): Promise<Partial<Item> | null> {
    const { job, state } = end;
    if (!isSuccessful(state)) return null;
    const counts = await this.pages.countsOf(job.oid, job.crawlId);
    const workflow = await this.workflows.find(job.oid, job.cid);
    const collectionIds = await this.collections.existing(job.oid, workflow?.autoAddCollections ?? []);
    const inFiles = job.dedupeCollId && this.requirements.areInFiles ? await this.requiredInFiles(end) : null;
    return { ...counts, collectionIds, ...(inFiles ? { requiresCrawls: inFiles } : {}) };
  }

  private async requiredInFiles({ job: { oid, crawlId }, org }: RunEnd): Promise<string[] | null> {
    // The last files came with this look.
    const files = (await this.runs.findItem(oid, crawlId))?.files ?? [];
    return this.requirements.ofFiles(org, { crawlId, files });
  }

  async apply(end: RunEnd, extra: Partial<Item> | null, tx: Tx, record: RecordFact): Promise<void> {
    const { job, state } = end;
    const { oid, crawlId, cid } = job;
    // The profile is updated for unsuccessful crawls too: the crawl has already overwritten the profile's file.
    if (end.profileUpload && (await this.updateProfile(end, end.profileUpload, tx)))
      record('profile.fileChanged', { oid, profileId: end.item.profileid as string });
    if (!isSuccessful(state)) {
      await this.discard(end, tx);
      await this.kept.letGo(oid, crawlId, tx);
      record('crawl.finished', { oid, crawlId, cid, state, fileSize: 0 });
      return;
    }
    await this.runs.setCrawl(oid, crawlId, { ...extra, ...AT_REST }, tx);
    await this.link(end, extra?.requiresCrawls ?? null, tx);
    await this.usage.itemFinished(oid, end.finished, tx);
    record('crawl.finished', { oid, crawlId, cid, state, fileSize: job.filesAddedSize });
    for (const collectionId of extra?.collectionIds ?? [])
      record('collection.itemsAdded', { oid, collectionId, itemIds: [crawlId] });
  }

  /** Links the crawl with what it needs, before it lets go of what it held. */
  private async link(
    { job: { oid, crawlId }, item, requiredCrawls }: RunEnd,
    inFiles: readonly string[] | null,
    tx: Tx,
  ): Promise<void> {
    const told = requiredCrawls ?? (await this.requirements.ofLost({ oid, crawlId }, inFiles, tx));
    const named = [...new Set([...told, ...(inFiles ?? [])])];
    const required = maySkipPages(item.config ?? {}) ? await this.requirements.ofSkipped(oid, named, tx) : named;
    await this.runs.linkRequired(oid, crawlId, required, tx);
    await this.kept.link(oid, crawlId, required, tx);
    await this.kept.letGo(oid, crawlId, tx);
  }

  /** Removes all files of an unsuccessful crawl from the store. The objects are deleted after the commit. */
  private async discard({ job }: RunEnd, tx: Tx): Promise<void> {
    const files = await this.runs.takeFiles(job, tx);
    await this.runs.setCrawl(job.oid, job.crawlId, AT_REST, tx);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    await this.usage.addBytes(job.oid, 'crawl', -bytes, tx);
    await this.files.planForLater(job.oid, files, tx, { type: 'crawl', id: job.crawlId });
  }

  /** Updates the profile that the crawl has saved anew. @returns whether the profile's file has changed */
  private async updateProfile(
    { job, item, finished }: RunEnd,
    upload: { size: number; hash: string; modified: string },
    tx: Tx,
  ): Promise<boolean> {
    if (!item.profileid) return false;
    const profile = await this.profiles.find(job.oid, item.profileid, tx);
    if (!profile && job.profileKey) {
      // The profile was deleted while the crawl ran, so no other record names the file.
      const written = unseenFile({ filename: `${job.oid}/${job.profileKey}`, storage: job.storage });
      await this.files.planForLater(job.oid, [written], tx);
    }
    if (!profile?.resource) return false;
    await this.profiles.set(
      job.oid,
      profile._id,
      {
        resource: { ...profile.resource, size: upload.size, hash: upload.hash },
        modifiedCrawlDate: parseDateTime(upload.modified) ?? finished,
        modifiedCrawlId: job.crawlId,
        modifiedCrawlCid: job.cid,
      },
      tx,
    );
    await this.usage.addBytes(job.oid, 'profile', upload.size - profile.resource.size, tx);
    return upload.hash !== profile.resource.hash;
  }
}

/** Values of live fields once a crawl has ended. */
const AT_REST: Partial<Item> = { pendingSize: 0, rateLimitedAt: null };
