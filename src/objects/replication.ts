import { Injectable } from '@nestjs/common';
import { OneOf } from '../common/validation/fields.js';
import { ReplicaJobFields, replicaOf } from '../jobs/dto/jobs.dto.js';
import { notFound } from '../common/errors/domain-error.js';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { HandlesJob, type JobHandler } from '../jobs/job-handlers.js';
import { JobStarter } from '../jobs/job-starter.js';
import type { Job } from '../jobs/data/job.schema.js';
import { OrgsReads } from '../orgs/data/orgs.reads.js';
import { sameStorageRef, type StorageRef } from '../storage/storage-ref.js';
import { Storages } from '../storage/storages.js';
import { isSuccessful } from '../items/data/item-state.facts.js';
import type { FixityKind, RecordedFile } from './data/file-owner.js';
import { FileOwners } from './data/file-owners.js';
import { FileRemover } from './file-remover.js';
import { copyObject } from './copy-object.js';
import type { CopyOwner } from './replica-deletions.js';

/** The file that a replica job is to copy is gone. */
export class ReplicaFileNotFound extends notFound('file_not_found') {}

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'create-replica': true;
  }
}

export class CreateReplicaJob extends ReplicaJobFields {
  @OneOf(['create-replica']) type = 'create-replica' as const;
}

/** Copies complete files to the replica storages. Contract: archive.md §2.6. */
@HandlesJob({
  type: 'create-replica',
  body: CreateReplicaJob,
  show: replicaOf,
})
@Injectable()
export class Replication implements JobHandler {
  /** Each job transfers a whole file. */
  readonly concurrency = 2;
  readonly maxTries = 3;

  constructor(
    private readonly jobs: JobStarter,
    private readonly orgs: OrgsReads,
    private readonly storages: Storages,
    private readonly owners: FileOwners,
    private readonly remover: FileRemover,
  ) {}

  @OnFact('upload.finished', 'items.replicate-upload')
  async uploadFinished({ payload: { oid, itemId } }: DomainEvent<'upload.finished'>): Promise<void> {
    await this.start(oid, { type: 'upload', id: itemId });
  }

  @OnFact('crawl.finished', 'items.replicate-crawl')
  async crawlFinished({ payload: { oid, crawlId, state } }: DomainEvent<'crawl.finished'>): Promise<void> {
    if (isSuccessful(state)) await this.start(oid, { type: 'crawl', id: crawlId });
  }

  @OnFact('profile.fileChanged', 'items.replicate-profile')
  async profileChanged({ payload: { oid, profileId } }: DomainEvent<'profile.fileChanged'>): Promise<void> {
    await this.start(oid, { type: 'profile', id: profileId });
  }

  /** Starts one job per file and storage without a copy. A file that was overwritten is copied again. */
  private async start(oid: string, owner: CopyOwner): Promise<void> {
    const org = await this.orgs.findById(oid);
    if (!org) return;
    const targets = this.storages.replicaTargets(org);
    if (targets.length === 0) return;
    const kind = kindOf(owner);
    const { isWrittenOver } = this.owners.of(kind).fields;
    for (const file of await this.owners.copiedFilesOf(kind, oid, owner.id)) {
      for (const target of targets) {
        if (!isWrittenOver && hasCopy(file, target)) continue;
        const object = { file_path: file.filename, object_type: owner.type, object_id: owner.id };
        await this.jobs.start('create-replica', { oid, fields: { ...object, replica_storage: target } });
      }
    }
  }

  /** @throws StorageError, CopyDiffers */
  async run(job: Job, { signal }: { signal: AbortSignal }): Promise<void> {
    const copy = copyOf(job);
    if (!copy) return;
    const { oid, owner, filename, target } = copy;
    const org = await this.orgs.findById(oid);
    const file = org && (await this.find(copy));
    if (org && file) {
      const store = this.storages.resolve(org, target);
      // An earlier try that was interrupted may have planned the deletion of this copy.
      await this.remover.spareStray({ filename, storage: target });
      await copyObject(this.storages.resolve(org, file.storage), store, file, signal);
      if (await this.owners.addReplica({ kind: kindOf(owner), oid, id: owner.id }, filename, target)) return;
    }
    // The file was deleted while it was copied, in this try or in an interrupted one. Nobody else would delete the
    // copy. The write of a process that died may still reach the storage.
    await this.deleteCopy(copy);
  }

  /** Deletes a copy that a try may have stored without recording it, or that the storage may still store. */
  async failed(job: Job): Promise<void> {
    const copy = copyOf(job);
    const file = copy && (await this.find(copy));
    if (!copy || (file && hasCopy(file, copy.target))) return;
    await this.deleteCopy(copy);
  }

  private async deleteCopy({ oid, filename, target }: WantedCopy): Promise<void> {
    // An org's own storage is gone with the org.
    if (target.custom && !(await this.orgs.findById(oid))) return;
    await this.remover.deleteStray(oid, { filename, storage: target });
  }

  /** @throws ReplicaFileNotFound when there is nothing left to copy */
  async checkRetry(job: Job): Promise<void> {
    const copy = copyOf(job);
    if (!copy || !(await this.find(copy))) throw new ReplicaFileNotFound();
  }

  private async find({ oid, owner, filename }: WantedCopy): Promise<RecordedFile | null> {
    const files = await this.owners.copiedFilesOf(kindOf(owner), oid, owner.id);
    return files.find((one) => one.filename === filename) ?? null;
  }
}

const kindOf = ({ type }: CopyOwner): FixityKind => (type === 'profile' ? 'profile' : 'item');

interface WantedCopy {
  readonly oid: string;
  readonly owner: CopyOwner;
  readonly filename: string;
  readonly target: StorageRef;
}

function copyOf(job: Job): WantedCopy | null {
  const { oid, object_type: type, object_id: id, file_path: filename, replica_storage: target } = job;
  if (!oid || !id || !filename || !target) return null;
  return { oid, owner: { type: type as CopyOwner['type'], id }, filename, target };
}

function hasCopy(file: RecordedFile, target: StorageRef): boolean {
  return (file.replicas ?? []).some((ref) => sameStorageRef(ref, target));
}
