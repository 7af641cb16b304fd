import { canonicalUuid } from '../common/ids/uuid.js';
import type { ExportedDocument, ExportedList } from './data/org-archive.repository.js';
import { parseDateTime } from '../common/validation/date-time.js';
import { slugFrom } from './slug.js';

/** What an import changes in the documents it takes over. */
export interface ImportRules {
  readonly oid: string;
  /** Accounts here, by their id in the export. */
  readonly userIds: ReadonlyMap<string, string>;
  /** Where the files are now; null: as the export says. */
  readonly storageName: string | null;
  readonly windowsPerInstance: number;
  readonly maxBrowserWindows: number;
}

interface ExportedRun {
  started?: unknown;
  state?: unknown;
  files?: unknown;
}

type Change = (doc: ExportedDocument, rules: ImportRules) => ExportedDocument | null;

const mapUsers = (doc: ExportedDocument, fields: readonly string[], { userIds }: ImportRules): ExportedDocument => {
  const mapped = fields.flatMap((field) => {
    const id = typeof doc[field] === 'string' ? canonicalUuid(doc[field]) : null;
    const here = id === null ? undefined : userIds.get(id);
    return here === undefined ? [] : [[field, here] as const];
  });
  return { ...doc, ...Object.fromEntries(mapped) };
};

/** Windows of older documents follow from their scale; none is above this deployment's bound. */
function windowsOf(doc: ExportedDocument, { windowsPerInstance, maxBrowserWindows }: ImportRules): number {
  const stored = Number(doc['browserWindows'] ?? 0);
  const scale = Number(doc['scale'] ?? 1);
  const windows = stored > 0 ? stored : (scale > 0 ? scale : 1) * windowsPerInstance;
  return Math.min(windows, maxBrowserWindows);
}

const asRef = (ref: unknown, storageName: string | null): unknown => {
  if (storageName !== null) return { name: storageName, custom: false };
  if (typeof ref !== 'object' || ref === null) return ref;
  return { ...ref, custom: (ref as { custom?: boolean | null }).custom ?? false };
};

/** A file record: stored where the import says, without the download URL it had elsewhere. */
function fileHere(file: unknown, storageName: string | null): unknown {
  if (typeof file !== 'object' || file === null) return file;
  const { presignedUrl: _url, expireAt: _end, ...rest } = file as Record<string, unknown>;
  return { ...rest, storage: asRef(rest['storage'], storageName) };
}

const filesHere = (files: unknown, { storageName }: ImportRules): unknown =>
  Array.isArray(files) ? files.map((file) => fileHere(file, storageName)) : files;

/** The QA runs of a crawl, with their files here, and what lists sort by. */
function qaHere(doc: ExportedDocument, rules: ImportRules): ExportedDocument {
  const here = (run: ExportedRun) => ({ ...run, ...('files' in run ? { files: filesHere(run.files, rules) } : {}) });
  const finished = Object.entries(doc['qaFinished'] ?? {}).map(([id, run]) => [id, here(run as ExportedRun)] as const);
  const active = doc['qa'] ? [here(doc['qa'] as ExportedRun)] : [];
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

const CHANGES: Record<ExportedList, Change> = {
  profiles: (doc, rules) => ({
    ...mapUsers(doc, ['userid', 'createdBy', 'modifiedBy'], rules),
    oid: rules.oid,
    ...(doc['resource'] ? { resource: fileHere(doc['resource'], rules.storageName) } : {}),
  }),
  workflows: (doc, rules) => ({
    ...mapUsers(doc, ['createdBy', 'modifiedBy', 'lastStartedBy'], rules),
    oid: rules.oid,
    browserWindows: windowsOf(doc, rules),
    crawlerChannel: doc['crawlerChannel'] ?? 'default',
    ...(doc['profileid'] ? { proxyId: null } : {}),
  }),
  workflowRevisions: (doc, rules) => mapUsers(doc, ['modifiedBy'], rules),
  items: (doc, rules) => {
    if (doc['type'] !== 'crawl' && doc['type'] !== 'upload') return null;
    const isCrawl = doc['type'] === 'crawl';
    return {
      ...mapUsers(doc, ['userid'], rules),
      oid: rules.oid,
      files: filesHere(doc['files'], rules),
      ...qaHere(doc, rules),
      ...(isCrawl ? { browserWindows: windowsOf(doc, rules), crawlerChannel: doc['crawlerChannel'] ?? 'default' } : {}),
    };
  },
  pages: (doc, rules) => ({ ...doc, oid: rules.oid }),
  collections: (doc, rules) => ({
    ...doc,
    oid: rules.oid,
    slug: doc['slug'] || slugFrom(String(doc['name'] ?? '')) || doc['_id'],
  }),
};

/** The document as it is stored here; null for one of a kind that nobody knows. Contract: accounts §10.2, D19. */
export function importedDocument(
  name: ExportedList,
  doc: ExportedDocument,
  rules: ImportRules,
): ExportedDocument | null {
  const { id, ...rest } = doc;
  return CHANGES[name]('_id' in doc ? doc : { _id: id, ...rest }, rules);
}
