import type { Type } from '@nestjs/common';
import { inOrder, placed } from '../common/discovery/by-name.js';
import type { Job } from './data/job.schema.js';
import type { JobFields } from './dto/job-fields.dto.js';

/** What a job works on. */
export type JobTarget = Pick<
  Job,
  | 'file_path'
  | 'object_type'
  | 'object_id'
  | 'replica_storage'
  | 'schedule'
  | 'crawl_type'
  | 'crawl_id'
  | 'collection_id'
>;

/** The types of jobs. Each handler declares its own, so that jobs are started by names that are known. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- its members are declared by the handlers
export interface JobTypes {}
export type BgJobType = keyof JobTypes;

/** What is known of the jobs of one type. The room of their handler declares it. Contract: archive §10. */
export interface JobKind<B extends JobFields = JobFields> {
  readonly type: BgJobType;
  /** The type before it in the contract's enumeration. */
  readonly after?: BgJobType;
  /** The body of the job in answers; `BackgroundJob` when absent. */
  readonly body?: Type<B>;
  /** The fields of the job beside those that every job has. */
  readonly show?: (job: Job) => Omit<B, keyof JobFields | 'type'>;
  /** The beginning of the job's id; the type itself when absent. */
  readonly idOf?: (target: { readonly oid: string | null } & JobTarget) => string;
  /** There is one job for each object. A start while it runs makes it run once more, or counts as started. */
  readonly onePerObject?: 'runs again' | 'counts as started';
  /** Which of these jobs stay when their org is deleted; absent: none. */
  readonly outlivesOrg?: 'all' | 'unfinished';
  /** Who may start a failed job again; absent: the org that the job belongs to. */
  readonly retry?: 'nobody, it comes again' | 'superusers';
}

const kinds = new Map<string, JobKind>();

/** Called by `@HandlesJob`. */
export function declareJob(kind: JobKind): void {
  kinds.set(kind.type, kind);
}

/** The kind of a type. It is undefined for types of the reference that no longer exist. */
export const kindOf = (type: string): JobKind | undefined => kinds.get(type);

/** All kinds, in the order of the contract's enumeration. */
export const jobKinds = (): JobKind[] =>
  inOrder(
    'kind of jobs',
    [...kinds.values()].map((kind) => ({ mark: placed(kind.type, kind.after), wearer: kind, where: kind.type })),
  ).map(({ wearer }) => wearer);

/** The types whose jobs stay when their org is deleted. */
export function outlivingOrgs(): Record<'all' | 'unfinished', BgJobType[]> {
  const staying = (which: JobKind['outlivesOrg']): BgJobType[] =>
    jobKinds().flatMap(({ type, outlivesOrg }) => (outlivesOrg === which ? type : []));
  return { all: staying('all'), unfinished: staying('unfinished') };
}

/** The id of a new job. @param suffix 10 hex digits */
export function jobIdOf(type: BgJobType, target: { readonly oid: string | null } & JobTarget, suffix: string): string {
  const { idOf, onePerObject } = kinds.get(type) ?? {};
  const start = idOf?.(target) ?? type;
  return onePerObject ? start : `${start}-${suffix}`;
}
