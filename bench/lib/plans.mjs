/** What the database does for a piece of work, by its profiler. */
import mongoose from 'mongoose';

/** Reads that take less are of no interest, such as those of a request's user. */
const LEAST_MS = 3;

/**
 * Plans of the reads that `work` causes, the slowest first, one line each.
 * @param {string} url of mongod
 * @param {string} dbName
 * @param {() => Promise<unknown>} work
 * @returns {Promise<string[]>}
 */
export async function plansOf(url, dbName, work) {
  const connection = await mongoose.createConnection(url, { dbName }).asPromise();
  const { db } = connection;
  try {
    await db.command({ profile: 2 });
    await work();
    await db.command({ profile: 0 });
    const found = await db
      .collection('system.profile')
      .find({ ns: new RegExp(`^${dbName}[.](?!system)`) })
      .toArray();
    await db.collection('system.profile').drop();
    return found
      .filter(({ millis }) => millis >= LEAST_MS)
      .sort((a, b) => b.millis - a.millis)
      .map(lineOf);
  } finally {
    await connection.close();
  }
}

function lineOf({ ns, op, command, millis, planSummary, keysExamined, docsExamined, nreturned, hasSortStage }) {
  const what = command?.count || command?.aggregate ? 'count' : op;
  const read = `${keysExamined ?? 0} keys, ${docsExamined ?? 0} documents for ${nreturned ?? 0}`;
  const plan = (planSummary ?? '').slice(0, 160);
  return `${millis} ms ${what} ${ns.split('.')[1]}: ${read}${hasSortStage ? ', sorts' : ''}; ${plan}`;
}
