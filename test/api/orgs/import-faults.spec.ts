import { Readable } from 'node:stream';
import { InputRefused } from '../../../src/common/validation/issue.js';
import { DomainError } from '../../../src/common/errors/domain-error.js';
import { apiDocument } from '../../../src/console/api-document.js';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { OrgArchiveRepository } from '../../../src/orgs/data/org-archive.repository.js';
import { importedDocument } from '../../../src/orgs/archive/imported-documents.js';
import { OrgImport } from '../../../src/orgs/archive/org-import.js';
import type { ApiClient } from '../../support/api-client.js';
import { type Doc, type Export, fullExport } from '../../support/full-export.js';
import { REFERENCE as R } from '../../support/reference-documents.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { SWEEP_SEED, sweepSize } from '../../support/sweep-size.js';

let on: AppUnderTest;
let api: ApiClient;
let defaultOrg: ReturnType<typeof uuid>;

beforeAll(async () => {
  on = await startApp();
  api = await on.admin();
  defaultOrg = uuid(await on.defaultOrgId());
});
afterAll(() => on.close());

const ABSENT = Symbol('absent');
/** Wrong values for a field: each other kind of JSON, and values that no store or reader expects. */
const WRONG: readonly unknown[] = [
  ...[ABSENT, null, true, 'text', '', '../../etc', 'nul\0', '2025-13-45T99:00:00Z', -1, 1.5, 1e300],
  ...[[], [null], ['text'], [{}], {}, { a: 1 }],
];
/** Each of these is a whole import; a run takes a sixth of them, another one each time, and `SWEEP=full` all. */
const STRIDE = sweepSize(6, 1);
type Path = readonly (string | number)[];
type Change = { readonly path: Path; readonly value: unknown };

/** Yields the paths of all fields of a document, nested ones included. */
function* paths(value: unknown, at: Path = []): Generator<Path> {
  if (at.length > 0) yield at;
  if (typeof value !== 'object' || value === null || at[0] === 'later') return;
  for (const [key, inner] of Object.entries(value))
    yield* paths(inner, [...at, Array.isArray(value) ? Number(key) : key]);
}

function changed(document: Doc, { path, value }: Change): Doc {
  const copy = structuredClone(document);
  let holder: Doc | unknown[] = copy;
  for (const key of path.slice(0, -1)) holder = (holder as Doc)[key] as Doc;
  const last = path.at(-1)!;
  if (value !== ABSENT) (holder as Doc)[last] = value;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}

const LISTS = [
  'profiles',
  'workflows',
  'workflowRevisions',
  'items',
  'pages',
  'collections',
  'seedFiles',
  'keptItems',
] as const;
type List = (typeof LISTS)[number];
const STORED = {
  workflows: 'crawl_configs',
  workflowRevisions: 'configs_revs',
  items: 'crawls',
  seedFiles: 'file_uploads',
  keptItems: 'retained_items',
} as Record<string, string>;
const COLLECTIONS = [...LISTS.map((list) => STORED[list] ?? list), 'organizations'];

async function wipe(): Promise<void> {
  for (const name of COLLECTIONS)
    await on.connection.collection(name).deleteMany({ _id: { $ne: defaultOrg as never } });
  await on.connection.collection('jobs').deleteMany({});
}

const bytesOf = (data: object) => Readable.from([Buffer.from(JSON.stringify({ data }))]);
const send = (data: object) => on.app.get(OrgImport).import(bytesOf(data), { ignoreVersion: false, storageName: null });

/** @returns false when the import was refused in a way that a client can act on */
async function isTaken(data: Export): Promise<boolean> {
  try {
    await send(data);
    return true;
  } catch (error) {
    if (error instanceof InputRefused) {
      expect(error.issues[0]!.loc.slice(0, 2)).toEqual(['body', 'data']);
      return false;
    }
    if (error instanceof DomainError && error.kind === 'invalid') return false;
    throw error;
  }
}

/** Whether an import would accept the document. The steps are the import's, without writing. */
function isFit(list: List, document: Doc): boolean {
  const archive = on.app.get(OrgArchiveRepository, { strict: false });
  const rules = { oid: R.oid, userIds: new Map(), storageName: null, windowsPerInstance: 2, maxBrowserWindows: 8 };
  const isKnown = ({ name, custom }: { name: string; custom: boolean }) => name === (custom ? 'mine' : 'default');
  const loc = ['body', 'data', list, 0];
  try {
    archive.check(list, { document, loc });
    const here = importedDocument(list, document, { ...rules, isKnown }, loc);
    if (here) archive.stored(list, { document: here, loc });
    return here !== null && (list !== 'workflowRevisions' || here['cid'] === R.workflow);
  } catch (error) {
    if (!(error instanceof InputRefused)) throw error;
    return false;
  }
}

/** Lists all GET routes except those that read archives, because an import brings no objects. */
const routes = (): string[] =>
  Object.entries(apiDocument(on.app).paths)
    .filter(
      ([path, methods]) =>
        methods.get && path.startsWith('/api/') && !/download|export\/json|cdx|timegate|timemap|memento/.test(path),
    )
    .map(([path]) => path);
/** Query parameters for all routes. Each route takes those that it knows. */
const QUERY: Record<string, string> = {
  ...{ pageSize: '1000', screenshotThresholds: '0.5', textThresholds: '0.5', regex: 'x', offset: '0', count: '5' },
  ...{ qaRunId: R.qaRun, qa_run_id: R.qaRun },
};

type Ids = Readonly<Record<string, string>>;
const IDS: Ids = {
  ...{ oid: R.oid, org_slug: 'of-the-reference', coll_slug: 'all-of-it', cid: R.workflow, crawl_id: R.crawl },
  ...{ crawlid: R.crawl, coll_id: R.collection, page_id: R.seedFile, profileid: R.profile, qa_run_id: R.qaRun },
  ...{ file_id: R.seedFile },
};
/** The parameters by which single documents of a list are read. */
const IDS_OF: Record<List, readonly string[]> = {
  profiles: ['profileid'],
  workflows: ['cid'],
  workflowRevisions: [],
  items: ['crawl_id', 'crawlid'],
  pages: ['page_id'],
  collections: ['coll_id'],
  seedFiles: ['file_id'],
  keptItems: [],
};
const parametersOf = (route: string): string[] => [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** @returns the routes that the service failed to answer */
async function failures(among: readonly string[], ids: Ids = IDS): Promise<string[]> {
  const answers = among.map(async (route) => {
    const path = route.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(ids[name] ?? R.seedFile));
    const response = await api.fetch('GET', path, { query: QUERY });
    await response.text();
    return response.status < 500 ? [] : [`${String(response.status)} ${route}`];
  });
  return (await Promise.all(answers)).flat();
}

const show = ({ path, value }: Change) => `${path.join('.')} = ${value === ABSENT ? 'absent' : JSON.stringify(value)}`;
const every = (document: Doc): Change[] =>
  [...paths(document)].flatMap((path) => WRONG.map((value) => ({ path, value })));

/** Merges changes into few documents. Changes of one value at one depth can be in the same document. */
function merged(original: Doc, changes: readonly Change[]): Doc[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const kind = `${String(change.path.length)} ${show({ ...change, path: [] })}`;
    groups.set(kind, [...(groups.get(kind) ?? []), change]);
  }
  // Changes are applied from the last one on, because a removal from a list moves the elements behind it.
  return [...groups.values()].map((group) =>
    group.reverse().reduce((document, change) => changed(document, change), original),
  );
}

/** Gives a document its own id and names, so that many documents can be in one org. A changed name stays. */
function distinct(list: List, document: Doc, original: Doc, n: number): Doc {
  const own: Doc = { _id: list === 'items' ? `${R.crawl}-${String(n)}` : newId() };
  if (list === 'collections') Object.assign(own, { name: `Coll ${String(n)}`, slug: `coll-${String(n)}` });
  const kept = Object.entries(own).filter(([field]) => field === '_id' || document[field] === original[field]);
  return { ...document, ...Object.fromEntries(kept) };
}

async function culprits(
  list: List,
  whole: Export,
  taken: readonly Change[],
  among: readonly string[],
): Promise<string[]> {
  const names = among.map((failure) => failure.slice(4));
  const found: string[] = [...among];
  for (const change of taken) {
    await wipe();
    await send({ ...whole, [list]: [changed(whole[list]![0]!, change)] });
    const failed = await failures(names);
    if (failed.length > 0) found.push(`${show(change)}: ${failed.join(', ')}`);
  }
  return found;
}

describe('an import', () => {
  beforeEach(wipe);

  it('takes a document of every kind with all of its fields, and every route answers', async () => {
    await send(fullExport());
    expect(await failures(routes())).toEqual([]);
  });

  describe.each(LISTS)('of %s with a wrong field', (list) => {
    it('is refused with its place, or every route answers', async () => {
      const whole = fullExport();
      const original = whole[list]![0]!;
      const changes = every(original);
      const taken = changes.filter((change) => isFit(list, changed(original, change)));
      const refused = changes.filter((change) => !taken.includes(change));
      expect(refused.length).toBeGreaterThan(taken.length / 2);
      for (const change of refused.filter((_change, n) => n % 50 === 0))
        expect([show(change), await isTaken({ ...whole, [list]: [changed(original, change)] })]).toEqual([
          show(change),
          false,
        ]);
      for (const name of COLLECTIONS)
        expect(await on.connection.collection(name).countDocuments({ oid: uuid(R.oid) })).toBe(0);

      const documents = merged(original, taken).map((document, n) => distinct(list, document, original, n));
      const fit = documents.filter((document) => isFit(list, document));
      await send({ ...whole, [list]: [original, ...fit] });
      // Routes of all orgs and routes of an item's single pages read the same documents, so they are left out.
      const single = routes().filter(
        (route) =>
          parametersOf(route).some((name) => IDS_OF[list].includes(name)) &&
          !/\/all\//.test(route) &&
          (list === 'pages' || !route.includes('{page_id}')),
      );
      let failed = await failures(routes());
      for (const document of fit) {
        const id = String(document['_id'] ?? document['id']);
        failed.push(
          ...(await failures(single, { ...IDS, ...Object.fromEntries(IDS_OF[list].map((name) => [name, id])) })),
        );
      }
      // Finds the changes that made routes fail.
      if (failed.length > 0) failed = await culprits(list, whole, taken, [...new Set(failed)]);
      expect(failed).toEqual([]);
      expect(fit.length).toBe(documents.length);
    });
  });

  it.each<[List, Path, unknown]>([
    ['items', ['fileSize'], 1.5],
    ['items', ['crawlExecSeconds'], 1e300],
    ['items', ['config', 'limit'], 0.5],
    ['pages', ['status'], 200.5],
    ['items', ['state'], 'lost'],
    ['items', ['qaFinished', R.qaRun, 'state'], 'lost'],
    ['items', ['config', 'scopeType'], 'everything'],
    ['workflows', ['lastCrawlState'], 'lost'],
    ['workflows', ['jobType'], 'odd'],
    ['collections', ['access'], 'open'],
    ['collections', ['indexState'], 'lost'],
  ])('of %s with %j = %j is refused: no answer may hold it', async (list, path, value) => {
    const whole = fullExport();
    const sent = send({ ...whole, [list]: [changed(whole[list]![0]!, { path, value })] });
    const refused = await sent.then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(InputRefused);
    expect((refused as InputRefused).issues[0]!.loc).toEqual(['body', 'data', list, 0, ...path]);
  });

  it('of an org with a wrong field is refused with its place, or every route answers', async () => {
    const { dbVersion, org, ...lists } = fullExport();
    const taken: Change[] = [];
    const changes = every(org).filter((_change, n) => n % STRIDE === SWEEP_SEED % STRIDE);
    for (const change of changes) {
      if (!(await isTaken({ dbVersion, org: changed(org, change) } as unknown as Export))) continue;
      taken.push(change);
      await wipe();
    }
    expect(taken.length).toBeGreaterThan(100 / STRIDE);
    const failed: string[] = [];
    for (const document of merged(org, taken)) {
      await send({ dbVersion, org: document, ...lists });
      const ids = { ...IDS, oid: String(document['_id']), org_slug: String(document['slug']) };
      for (const failure of await failures(routes(), ids)) failed.push(`${JSON.stringify(document)}: ${failure}`);
      await wipe();
    }
    expect([SWEEP_SEED, failed]).toEqual([SWEEP_SEED, []]);
  });
});
