import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../provision/lib.mjs';
import { ownDatabaseUrl } from './database.mjs';
import { runningInstance } from './instance.mjs';
import { loadSecrets } from './secrets.mjs';

/**
 * The settings of a command that works on the data of a service which `npm run up` has started: the same data folder,
 * and the database it runs.
 */
export function commandEnvironment(env = process.env) {
  const dataDir = path.resolve(env.DATA_DIR || path.join(ROOT, 'data'));
  const own = { ...env, DATA_DIR: dataDir };
  if (env.MONGO_DB_URL || !existsSync(dataDir) || !runningInstance(dataDir)) return own;
  return { ...own, MONGO_DB_URL: ownDatabaseUrl(dataDir, loadSecrets(dataDir)) };
}
