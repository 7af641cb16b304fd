import { wireTime, wireTimeOrNull, wireSecond } from '../common/validation/date-time.js';
import type { Job } from './data/job.schema.js';
import type { AnyBackgroundJob } from './dto/any-background-job.dto.js';

const typeFields = (job: Job): object => {
  switch (job.type) {
    case 'create-replica':
    case 'delete-replica':
      return {
        file_path: job.file_path ?? '',
        object_type: job.object_type ?? '',
        object_id: job.object_id ?? '',
        replica_storage: { name: job.replica_storage?.name ?? '', custom: job.replica_storage?.custom ?? false },
        ...(job.type === 'delete-replica' ? { schedule: job.schedule ?? null } : {}),
      };
    case 'readd-org-pages':
      return { crawl_type: job.crawl_type ?? null, crawl_id: job.crawl_id ?? null };
    case 'update-coll-stats':
      return { collection_id: job.collection_id ?? null };
    case 'postprocess-upload':
      return { crawl_id: job.crawl_id ?? '' };
    default:
      return {};
  }
};

/** The wire form; `error` and `logs` are additions to the contract, lists are read without `logs`. */
export const toBackgroundJob = (job: Job): AnyBackgroundJob =>
  ({
    id: job._id,
    type: job.type,
    oid: job.oid ?? null,
    success: job.success ?? null,
    started: wireSecond(job.started),
    finished: wireTimeOrNull(job.finished),
    previousAttempts:
      job.previousAttempts?.map(({ started, finished }) => ({
        started: wireSecond(started),
        finished: wireTimeOrNull(finished),
      })) ?? null,
    ...typeFields(job),
    ...(job.error ? { error: job.error } : {}),
    ...(job.logs ? { logs: job.logs.map(({ at, message }) => ({ at: wireTime(at), message })) } : {}),
  }) as AnyBackgroundJob;
