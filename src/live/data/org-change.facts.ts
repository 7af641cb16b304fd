/** What of an org changed. `everything`: what changed is not known any more. */
export type ChangeKind = 'item' | 'workflow' | 'org' | 'job' | 'collection' | 'profile' | 'everything';

/** A change of one org. */
export interface OrgChange {
  readonly kind: ChangeKind;
  /** Null where the database does not tell whose the document was, which is so once it is deleted. */
  readonly oid: string | null;
  /** When, in the order of the database: seconds since 1970 in the upper 32 bits, a counter in the lower. */
  readonly at: bigint;
  /** What a client may show without asking; a field that the document has not is absent. */
  readonly data: Readonly<Record<string, unknown>>;
}

interface Watched {
  readonly kind: ChangeKind;
  /** Stored fields that are sent. */
  readonly fields: readonly string[];
}

/** Collections whose changes are told. None of them changes while nothing happens in the org. */
export const WATCHED: Readonly<Record<string, Watched>> = {
  crawls: { kind: 'item', fields: ['type', 'cid', 'state', 'stats', 'fileSize', 'pageCount', 'finished'] },
  crawl_configs: { kind: 'workflow', fields: ['lastCrawlId', 'lastCrawlState', 'isCrawlRunning'] },
  organizations: { kind: 'org', fields: ['bytesStored', 'quotas', 'readOnly', 'readOnlyReason'] },
  jobs: { kind: 'job', fields: ['type', 'success', 'finished'] },
  collections: { kind: 'collection', fields: ['crawlCount', 'pageCount', 'totalSize', 'modified'] },
  profiles: { kind: 'profile', fields: [] },
};

/** A change as the database tells it. */
export interface StoredChange {
  readonly collection: string;
  readonly id: unknown;
  readonly at: bigint;
  /** Its watched fields; null for a document that is gone. */
  readonly document: Readonly<Record<string, unknown>> | null;
}

/** @returns null for a change that tells nobody anything */
export function orgChange({ collection, id, at, document }: StoredChange): OrgChange | null {
  const watched = WATCHED[collection];
  if (!watched) return null;
  const { kind, fields } = watched;
  // Items are marked as deleted long before they are: that has been told.
  if (!document) return kind === 'item' ? null : { kind, oid: null, at, data: {} };
  const oid = kind === 'org' ? id : document['oid'];
  if (typeof oid !== 'string') return null;
  const sent = fields.filter((field) => document[field] !== undefined).map((field) => [field, document[field]]);
  const gone = document['deleted'] === true ? { deleted: true } : {};
  return { kind, oid, at, data: { id, ...Object.fromEntries(sent), ...gone } };
}
