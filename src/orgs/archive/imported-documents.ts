import { canonicalUuid } from '../../common/ids/uuid.js';
import type { ExportedDocument, ExportedList } from '../data/org-archive.repository.js';
import { parseDateTime } from '../../common/validation/date-time.js';
import { invalidInput, type Loc } from '../../common/validation/issue.js';
import { fileHere, filesHere, replicasHere, storageHere, type StorageRules } from './imported-files.js';
import { slugFrom } from '../rules/slug.js';

/** The rules by which an import changes documents. */
export interface ImportRules extends StorageRules {
  /** Ids of accounts in this service, by their ids in the export. */
  readonly userIds: ReadonlyMap<string, string>;
  readonly windowsPerInstance: number;
  readonly maxBrowserWindows: number;
}

interface ExportedRun {
  readonly started?: unknown;
  readonly state?: unknown;
  readonly files?: unknown;
}

type Change = (doc: ExportedDocument, rules: ImportRules, loc: Loc) => ExportedDocument | null;

const mapUsers = (doc: ExportedDocument, fields: readonly string[], { userIds }: ImportRules): ExportedDocument => {
  const mapped = fields.flatMap((field) => {
    const id = typeof doc[field] === 'string' ? canonicalUuid(doc[field]) : null;
    const here = id === null ? undefined : userIds.get(id);
    return here === undefined ? [] : [[field, here] as const];
  });
  return { ...doc, ...Object.fromEntries(mapped) };
};

/**
 * Returns the browser windows of a document, at most this deployment's bound. In older documents they follow from the
 * scale.
 */
function windowsOf(doc: ExportedDocument, { windowsPerInstance, maxBrowserWindows }: ImportRules): number {
  const stored = Number(doc['browserWindows'] ?? 0);
  const scale = Number(doc['scale'] ?? 1);
  const windows = stored > 0 ? stored : (scale > 0 ? scale : 1) * windowsPerInstance;
  return Math.min(windows, maxBrowserWindows);
}

/** Returns a crawl's QA runs with their imported files, and the sort fields that are derived from them. */
function qaHere(doc: ExportedDocument, rules: ImportRules, loc: Loc): ExportedDocument {
  const here = (run: ExportedRun, ...at: string[]) => ({
    ...run,
    files: filesHere(run.files, rules, [...loc, ...at, 'files']),
  });
  const finished = Object.entries(doc['qaFinished'] ?? {}).map(
    ([id, run]) => [id, here(run as ExportedRun, 'qaFinished', id)] as const,
  );
  const active = doc['qa'] ? [here(doc['qa'] as ExportedRun, 'qa')] : [];
  const startOf = (run: ExportedRun): number => parseDateTime(run.started)?.getTime() ?? 0;
  const [latest] = [...finished.map(([, run]) => run), ...active].sort((a, b) => startOf(b) - startOf(a));
  return {
    ...('qaFinished' in doc ? { qaFinished: Object.fromEntries(finished) } : {}),
    ...(active.length > 0 ? { qa: active[0] } : {}),
    qaRunCount: finished.length + active.length,
    lastQAState: latest?.state ?? null,
    lastQAStarted: latest?.started ?? null,
  };
}

/** Imports a seed file, whose document is its own file record. */
const seedFileHere = (doc: ExportedDocument, rules: ImportRules, loc: Loc): ExportedDocument => ({
  ...mapUsers(fileHere(doc, rules, loc) as ExportedDocument, ['userid'], rules),
  oid: rules.oid,
});

const fileIn = (doc: ExportedDocument, field: string, rules: ImportRules, loc: Loc): ExportedDocument =>
  doc[field] ? { [field]: fileHere(doc[field], rules, [...loc, field]) } : {};

const CHANGES: Record<ExportedList, Change> = {
  profiles: (doc, rules, loc) => ({
    ...mapUsers(doc, ['userid', 'createdBy', 'modifiedBy'], rules),
    oid: rules.oid,
    ...fileIn(doc, 'resource', rules, loc),
  }),
  workflows: (doc, rules) => ({
    ...mapUsers(doc, ['createdBy', 'modifiedBy', 'lastStartedBy'], rules),
    oid: rules.oid,
    browserWindows: windowsOf(doc, rules),
    config: doc['config'] ?? {},
    crawlerChannel: doc['crawlerChannel'] ?? 'default',
    ...(doc['profileid'] ? { proxyId: null } : {}),
    // The import registers no schedule for the workflow.
    ...('nextRun' in doc ? { nextRun: null, pendingFiring: null } : {}),
  }),
  workflowRevisions: (doc, rules) => ({ ...mapUsers(doc, ['modifiedBy'], rules), config: doc['config'] ?? {} }),
  items: (doc, rules, loc) => {
    if (doc['type'] !== 'crawl' && doc['type'] !== 'upload') return null;
    const isCrawl = doc['type'] === 'crawl';
    return {
      ...mapUsers(doc, ['userid'], rules),
      oid: rules.oid,
      files: filesHere(doc['files'], rules, [...loc, 'files']),
      ...qaHere(doc, rules, loc),
      ...(isCrawl ? { browserWindows: windowsOf(doc, rules), crawlerChannel: doc['crawlerChannel'] ?? 'default' } : {}),
    };
  },
  pages: (doc, rules) => ({ ...doc, oid: rules.oid }),
  collections: (doc, rules, loc) => ({
    ...doc,
    oid: rules.oid,
    ...fileIn(doc, 'thumbnail', rules, loc),
    ...fileIn(doc, 'indexFile', rules, loc),
    // The entries of a dedupe index are not exported, so it is made anew, like one of the reference.
    ...(doc['indexUsedAt'] ? { indexUsedAt: null } : {}),
    slug: doc['slug'] || slugFrom(String(doc['name'] ?? '')) || doc['_id'],
  }),
  seedFiles: seedFileHere,
  keptItems: (doc, rules, loc) => ({
    ...mapUsers(doc, ['userid'], rules),
    oid: rules.oid,
    files: filesHere(doc['files'], rules, [...loc, 'files']),
  }),
};

/**
 * Returns an exported document as this service stores it, or null for an item that is neither crawl nor upload.
 * Contract: accounts §10.2, D19.
 * @param doc a document whose fields have the types of their descriptions
 * @param loc the document's place in the export
 * @throws InputRefused with the place of a value that cannot be stored here
 */
export function importedDocument(
  name: ExportedList,
  doc: ExportedDocument,
  rules: ImportRules,
  loc: Loc = [],
): ExportedDocument | null {
  const { id, ...rest } = doc;
  return CHANGES[name]('_id' in doc ? doc : { _id: id, ...rest }, rules, loc);
}

/**
 * Returns the org's own document as this service stores it.
 * @throws InputRefused with the place of a value that cannot be stored here
 */
export function importedOrg(org: ExportedDocument, rules: StorageRules, loc: Loc): ExportedDocument {
  checkStorages(org['customStorages'], [...loc, 'customStorages']);
  return {
    ...org,
    _id: rules.oid,
    slug: org['slug'] || rules.oid,
    storage: storageHere(org['storage'], rules, [...loc, 'storage', 'name']),
    ...('storageReplicas' in org ? { storageReplicas: replicasHere(org['storageReplicas'], rules) } : {}),
  };
}

/**
 * Checks the addresses of the org's own storages. A storage with an unreadable address would fail every list with a
 * file in it.
 */
function checkStorages(storages: unknown, loc: Loc): void {
  for (const [name, storage] of Object.entries(storages ?? {}) as [string, ExportedDocument][])
    for (const field of ['endpoint_url', 'endpoint_no_bucket_url', 'access_endpoint_url'])
      if (storage[field] && !URL.canParse(String(storage[field])))
        throw invalidInput([...loc, name, field], 'not a URL', storage[field], 'import_error');
}
