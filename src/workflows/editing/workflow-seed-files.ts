import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/unit-of-work.js';
import { SeedFilesRepository } from '../../files/data/seed-files.repository.js';
import type { SeedFile } from '../../files/data/seed-file.schema.js';
import { SeedFiles } from '../../files/seed-files.js';
import type { Workflow } from '../data/workflow.schema.js';
import { SeedFileNotFound } from '../workflows.errors.js';

/** Finds, holds and deletes the seed files of workflows. */
@Injectable()
export class WorkflowSeedFiles {
  constructor(
    private readonly stored: SeedFilesRepository,
    private readonly files: SeedFiles,
  ) {}

  /** @throws SeedFileNotFound */
  async find(oid: string, fileId: string): Promise<SeedFile> {
    const file = await this.stored.find(oid, fileId);
    if (!file) throw new SeedFileNotFound();
    return file;
  }

  /**
   * Writes to a seed file in the transaction that makes a workflow start from it. A deletion at the same moment then
   * conflicts with that transaction.
   * @throws SeedFileNotFound
   */
  async take(oid: string, fileId: string, takenAt: Date, tx: Tx): Promise<void> {
    if (!(await this.stored.take(oid, fileId, takenAt, tx))) throw new SeedFileNotFound();
  }

  /** Deletes the seed file that a workflow no longer uses, when nothing else refers to it. */
  async dropUnused(before: Workflow, after: Workflow): Promise<void> {
    const { seedFileId } = before.config;
    if (seedFileId && !after.config.seedFileId) await this.files.deleteIfUnused(before.oid, seedFileId);
  }
}
