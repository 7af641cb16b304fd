/** Rooms, lowest tier first; a room imports only rooms listed before it (docs/architecture.md). */
const ROOMS = [
  'common', 'config', 'links', 'database', 'events', 'audit', 'mail', 'storage', 'wacz', 'signing', 'drivers', 'users', 'jobs', 'objects', 'invites', 'orgs', 'access-keys', 'auth', 'sign-in',
  'billing', 'pages', 'files', 'profiles', 'items', 'dedupe', 'uploads', 'crawls', 'qa', 'collections', 'exchange', 'workflows', 'custody', 'webhooks', 'ledger', 'live', 'console',
  'health', 'invariants', 'backup', 'cli',
];

const tiers = ROOMS.slice(0, -1).map((room, i) => ({
  name: `tier-${room}`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: `^src/(${ROOMS.slice(i + 1).join('|')})/`, pathNot: '^src/[^/]+/data/' },
}));

/** What a lower room may import of a higher one's data: what reads. A repository writes, which is its owner's to do. */
const READS = ['\\.(schema|facts|reads|queries)\\.ts$', '-data\\.module\\.ts$'];

const readsFromBelow = ROOMS.slice(0, -1).map((room, i) => ({
  name: `reads-only-from-below-${room}`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: '\\.spec\\.ts$' },
  to: { path: `^src/(${ROOMS.slice(i + 1).join('|')})/data/`, pathNot: READS },
}));

/**
 * Folders of a room, lowest first: each imports only those before it, and what lies in the room itself. `data`, `rules` and
 * `dto` mean the same everywhere, the others are parts of the room's work. docs/architecture.md, "A room".
 */
const FOLDERS = {
  auth: ['data', 'rules', 'dto', 'sessions', 'factors'],
  backup: ['data', 'rules', 'target'],
  collections: ['data', 'dto', 'dedupe', 'pages', 'replay', 'thumbnails', 'public'],
  crawls: ['data', 'rules', 'dto', 'logs', 'run', 'launch', 'crawl-kind', 'control'],
  database: ['counts'],
  exchange: ['data', 'rules', 'dto', 'cdx', 'wacz', 'warc', 'memento', 'wasapi'],
  items: ['data', 'rules', 'dto', 'membership', 'deletion', 'page-jobs'],
  ledger: ['data', 'rules', 'dto', 'sending'],
  orgs: ['data', 'rules', 'dto', 'archive', 'members', 'settings', 'lifecycle', 'storages'],
  uploads: ['data', 'dto', 'tus'],
  webhooks: ['data', 'events', 'dto'],
  workflows: ['data', 'rules', 'dto', 'running', 'editing', 'public'],
};
const EVERYWHERE = ['data', 'rules', 'dto'];

const folderTiers = ROOMS.flatMap((room) => {
  const folders = FOLDERS[room] ?? EVERYWHERE;
  return folders.map((folder, i) => ({
    name: `folder-${room}-${folder}`,
    severity: 'error',
    from: { path: `^src/${room}/${folder}/` },
    to: { path: i + 1 < folders.length ? `^src/${room}/(${folders.slice(i + 1).join('|')})/` : '^$' },
  }));
});

/** Folders of the console, lowest first; rooms know each other by addresses alone. */
const CONSOLE = ['i18n', 'api', 'ui', 'session', 'shell', 'rooms'];
const consoleTiers = CONSOLE.slice(0, -1).map((folder, i) => ({
  name: `console-${folder}`,
  severity: 'error',
  from: { path: `^web/src/${folder}/` },
  // Translations are gathered from all rooms by a pattern of Vite's, which is no import.
  to: { path: `^web/src/(${CONSOLE.slice(i + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...consoleTiers,
    {
      name: 'console-rooms-are-apart',
      severity: 'error',
      from: { path: '^web/src/rooms/([^/]+)/' },
      to: { path: '^web/src/rooms/', pathNot: '^web/src/rooms/$1/' },
    },
    { name: 'console-knows-the-api-only', severity: 'error', from: { path: '^web/src/' }, to: { path: '^(src|crawler|formats|test)/' } },
    ...tiers,
    ...readsFromBelow,
    ...folderTiers,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only', 'dynamic-import'] } } },
    {
      name: 'data-imports-only-schemas',
      comment: 'A data module imports nothing but common, database and the schemas and facts of others.',
      severity: 'error',
      from: { path: '^src/([^/]+)/data/' },
      to: { path: '^src/', pathNot: ['^src/(common|config|database|objects/data)/', '^src/$1/data/', '\\.(schema|facts)\\.ts$'] },
    },
    {
      name: 'mongoose-only-in-data',
      severity: 'error',
      from: { path: '^src/', pathNot: ['/data/', '^src/database/', '^src/health/', '\\.spec\\.ts$', '^src/cli/'] },
      to: { path: 'node_modules/(mongoose|@nestjs/mongoose|mongodb)/' },
    },
    { name: 'facts-hold-no-schema', severity: 'error', from: { path: '\\.facts\\.ts$' }, to: { path: 'node_modules/(mongoose|@nestjs/mongoose|mongodb)/' } },
    { name: 'api-never-imports-the-crawler', severity: 'error', from: { path: '^src/' }, to: { path: '^crawler/', pathNot: '^crawler/protocol\\.ts$' } },
    { name: 'formats-know-nobody', severity: 'error', from: { path: '^formats/' }, to: { path: '^(src|crawler|test)/' } },
    { name: 'crawler-stands-alone', severity: 'error', from: { path: '^crawler/' }, to: { path: '^src/' } },
    { name: 's3-only-in-its-adapter', severity: 'error', from: { path: '^src/', pathNot: '^src/storage/s3/' }, to: { path: 'node_modules/@aws-sdk/' } },
    { name: 'kubernetes-only-in-its-adapter', severity: 'error', from: { path: '^src/', pathNot: '^src/drivers/kubernetes/' }, to: { path: 'node_modules/@kubernetes/' } },
    { name: 'docker-only-in-its-adapter', severity: 'error', from: { path: '^src/', pathNot: '^src/drivers/docker/' }, to: { path: 'node_modules/dockerode/' } },
    { name: 'not-to-spec', severity: 'error', from: { pathNot: '\\.spec\\.ts$' }, to: { path: '\\.spec\\.ts$' } },
  ],
  required: [
    { name: 'schemas-are-in-schema-files', severity: 'error', module: { path: '\\.schema\\.ts$' }, to: { path: 'node_modules/@nestjs/mongoose/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '\\.spec\\.ts$' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'], extensions: ['.ts', '.tsx', '.js'] },
  },
};
