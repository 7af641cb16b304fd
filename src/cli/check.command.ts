import { execFile } from 'node:child_process';
import { access, constants, mkdir, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Option, type Command } from 'commander';
import mongoose from 'mongoose';
import { isDatabaseAway } from '../common/errors/database-away.js';
import type { AppConfig } from '../config/app-config.js';
import { ConfigProblem, loadConfig } from '../config/load-config.js';
import { ReplicaSetCheck, SCHEMA_VERSION } from '../database/schema-version.js';
import { UnfinishedRestoreCheck } from '../database/unfinished-restore.js';
import { checkArchive } from './archive-check.js';
import type { CliContext } from './cli-context.js';

const run = promisify(execFile);
/** Longest wait for the database. */
const DATABASE_TIMEOUT_MS = 5_000;
const BROWSER_TIMEOUT_MS = 20_000;
/** Permissions of others that are wrong. The group may pass through, as the crawler's user does, not read or write. */
const OTHERS = 0o067;

interface Options {
  readonly quick?: boolean;
  readonly archives?: boolean;
}

type Check = (config: AppConfig, context: CliContext) => Promise<string>;

/** The checks in their printed order. Each resolves with its finding and throws the problem. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ['data folder', dataFolder],
  ['database', database],
  ['browser', browser],
];

/**
 * `check`: reads the settings, tries what the service needs and recounts the archive. It repairs nothing. Exit code 1
 * when something is wrong.
 */
export function registerCheck(program: Command, context: CliContext): void {
  program
    .command('check')
    .summary('try the settings, the database and the browser, and recount the archive')
    .description(
      'Reads the settings and tries what the service needs. Then recounts the archive: counters of organizations, ' +
        'workflows, collections and items, what items refer to, file records and their objects, the closed days of the ' +
        'audit log. Repairs nothing; may run beside the service; ends with 1 if something is wrong.',
    )
    .addOption(new Option('--quick', 'leave out the archive').conflicts('archives'))
    .option(
      '--archives',
      'read also, in the index of every deduplicated WACZ and of those that it needs, whether all that it refers to is there',
    )
    .action(async (options: Options) => {
      context.exitCode = (await checkAll(context, options)) ? 0 : 1;
    });
}

async function checkAll(context: CliContext, { quick = false, archives = false }: Options): Promise<boolean> {
  let config: AppConfig;
  try {
    config = loadConfig(context.variables);
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    report(context, 'settings', error);
    return false;
  }
  report(context, 'settings', `crawls run by the ${config.crawls.driver} driver`);
  let sound = true;
  for (const [name, check] of CHECKS) {
    const outcome = await check(config, context).catch((error: unknown) => asError(error));
    report(context, name, outcome);
    sound &&= !(outcome instanceof Error);
  }
  // A recount needs the database, and the data folder for the objects.
  return sound && !quick ? recount(config, context, archives) : sound;
}

function report({ terminal }: CliContext, name: string, outcome: string | Error): void {
  if (outcome instanceof Error) terminal.complain(`FAILED  ${name}: ${outcome.message}`);
  else terminal.print(`ok      ${name}: ${outcome}`);
}

async function recount(config: AppConfig, context: CliContext, archives: boolean): Promise<boolean> {
  const outcome =
    (await storedVersion(config)) === null
      ? 'nothing is stored yet'
      : await checkArchive(context, { archives }).catch(asError);
  report(context, 'archive', outcome);
  return !(outcome instanceof Error);
}

async function dataFolder({ dataDir }: AppConfig): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await access(dataDir, constants.R_OK | constants.W_OK);
  const { mode } = await stat(dataDir);
  if (mode & OTHERS) throw new Error(`${dataDir} is open to other users: chmod 700 ${dataDir}`);
  return dataDir;
}

async function database(config: AppConfig): Promise<string> {
  const { name } = config.database;
  const stored = await storedVersion(config).catch((error: unknown) => {
    throw isDatabaseAway(error) ? notRunning(error as Error, config.dataDir) : error;
  });
  if (stored !== null && stored !== SCHEMA_VERSION)
    throw new Error(`${name} has schema version ${stored}; this program reads ${SCHEMA_VERSION}`);
  return `${name}, schema version ${stored ?? 'not set yet'}`;
}

/** On a laptop the service runs the database, so without the service there is none. */
const notRunning = (error: Error, dataDir: string): Error =>
  new Error(
    `${error.message}. No database is running there: start the service on ${dataDir} (npm run up) and check beside it, ` +
      'or name its database by MONGO_DB_URL',
    { cause: error },
  );

/** Returns null for a database that no service has used. @throws when it does not answer or is no replica set */
async function storedVersion({ database: { url, name } }: AppConfig): Promise<string | null> {
  const connection = mongoose.createConnection(url.reveal(), {
    dbName: name,
    serverSelectionTimeoutMS: DATABASE_TIMEOUT_MS,
    autoIndex: false,
    autoCreate: false,
  });
  try {
    await connection.asPromise();
    await new ReplicaSetCheck(connection).run();
    await new UnfinishedRestoreCheck(connection).run();
    const stored = await connection.collection<{ version: string }>('version').findOne({});
    return stored?.version ?? null;
  } finally {
    await connection.close();
  }
}

async function browser({ crawls }: AppConfig, { launcher }: CliContext): Promise<string> {
  if (crawls.driver !== 'local') return `not needed by the ${crawls.driver} driver`;
  const path = crawls.chromiumPath || launcher.chromiumOnThisMachine();
  if (!path) throw new Error('no Chromium or Chrome found: install one, or set CHROMIUM_PATH');
  const { stdout } = await run(path, ['--version', '--no-sandbox'], { timeout: BROWSER_TIMEOUT_MS });
  return `${stdout.trim()} (${path})`;
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
