import { leaveMongod, leaveMongodAtExit } from './shared-mongod.mjs';

export default async function globalTeardown() {
  if (process.env.MONGO_DB_URL) return;
  process.off('exit', leaveMongodAtExit);
  await leaveMongod();
}
