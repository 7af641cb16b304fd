import path from 'node:path';
import { ROOT, say } from '../provision/lib.mjs';
import { findMongod } from '../provision/mongod.mjs';
import { dbDir, spawnDatabase } from './database.mjs';
import { claimInstance, endOrphans, releaseInstance } from './instance.mjs';
import { loadSecrets } from './secrets.mjs';

/**
 * Does work on the database of a data folder while no service runs on it: the database that MONGO_DB_URL or MONGO_HOST
 * names, or the folder's own, which is started for the work.
 * @param {(variables: Record<string, string>) => Promise<any>} work gets the settings of the database
 * @throws {Error} when the service runs on the data folder
 */
export async function withDatabase(work, env = process.env) {
  const dataDir = path.resolve(env.DATA_DIR || path.join(ROOT, 'data'));
  const secrets = loadSecrets(dataDir);
  if (!claimInstance(dataDir)) throw new Error(`Muniment runs on ${dataDir}: stop it first.`);
  try {
    if (env.MONGO_DB_URL || env.MONGO_HOST) return await work({ DATA_DIR: dataDir });
    await endOrphans(dataDir, dbDir(dataDir), say);
    const database = await spawnDatabase({ binary: await findMongod(), dataDir, secrets });
    try {
      await database.ready;
      return await work({ DATA_DIR: dataDir, MONGO_DB_URL: database.url });
    } finally {
      await database.stop();
    }
  } finally {
    releaseInstance(dataDir);
  }
}
