import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ItemsQueries } from '../items/data/items.queries.js';
import { FileRemover } from '../objects/file-remover.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { WorkflowsReads } from '../workflows/data/workflows.reads.js';
import { SeedFilesRepository } from './data/seed-files.repository.js';
import type { SeedFile } from './data/seed-file.schema.js';
import { FileNotFound, SeedFileInUse } from './files.errors.js';

/** Text files of start URLs. They are kept while something may start from them. Contract: archive §9. */
@Injectable()
export class SeedFiles {
  private readonly logger = new Logger('files');

  constructor(
    private readonly files: SeedFilesRepository,
    private readonly remover: FileRemover,
    private readonly workflows: WorkflowsReads,
    private readonly items: ItemsQueries,
    private readonly usage: OrgUsage,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws FileNotFound */
  async get(oid: string, fileId: string): Promise<SeedFile> {
    const file = await this.files.find(oid, fileId);
    if (!file) throw new FileNotFound();
    return file;
  }

  /** @throws FileNotFound, SeedFileInUse */
  async delete(oid: string, fileId: string): Promise<void> {
    await this.get(oid, fileId);
    if (!(await this.deleteIfUnused(oid, fileId))) throw new SeedFileInUse();
  }

  /** @returns false when a workflow, active or not, or a crawl refers to the file */
  async deleteIfUnused(oid: string, fileId: string): Promise<boolean> {
    const planned = await this.unitOfWork.run(async (tx) => {
      if (await this.workflows.refersToSeedFile(oid, fileId, tx)) return false;
      if (await this.items.anyStartsFrom(oid, fileId, tx)) return false;
      const file = await this.files.delete(oid, fileId, tx);
      if (!file) return null;
      await this.usage.addBytes(oid, 'seedFile', -file.size, tx);
      return this.remover.plan(oid, [file], tx);
    });
    if (planned === false) return false;
    await this.remover.carryOut(planned);
    return true;
  }

  /**
   * Deletes unused files of all orgs made before a moment.
   * @throws AggregateError with all failures, after every file was tried
   */
  async deleteUnusedBefore(before: Date, signal: AbortSignal): Promise<number> {
    const failures: unknown[] = [];
    let deleted = 0;
    let last: SeedFile | null = null;
    for (;;) {
      const batch: SeedFile[] = await this.files.findOldAcrossOrgs(before, last, 100);
      if (batch.length === 0) break;
      for (const file of batch) {
        signal.throwIfAborted();
        try {
          if (await this.deleteIfUnused(file.oid, file._id)) deleted++;
        } catch (error) {
          this.logger.error({ event: 'seed_file_not_deleted', oid: file.oid, fileId: file._id, err: error });
          failures.push(error);
        }
      }
      last = batch.at(-1) ?? null;
    }
    if (failures.length > 0) throw new AggregateError(failures, `${String(failures.length)} seed files not deleted`);
    return deleted;
  }
}
