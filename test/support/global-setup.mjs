import { joinMongod, leaveMongodAtExit } from './shared-mongod.mjs';

/**
 * Gives the run a MongoDB replica set: the one of MONGO_DB_URL, else one of our own. Its URL is in
 * MUNIMENT_TEST_MONGO_URL; every spec file makes a database of its own in it.
 */
export default async function globalSetup() {
  if (process.env.MONGO_DB_URL) {
    process.env.MUNIMENT_TEST_MONGO_URL = process.env.MONGO_DB_URL;
    return;
  }
  process.env.MUNIMENT_TEST_MONGO_URL = await joinMongod();
  // An interrupted run never reaches the teardown.
  process.once('exit', leaveMongodAtExit);
}
