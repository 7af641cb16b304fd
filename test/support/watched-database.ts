import { randomBytes } from 'node:crypto';
import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import { explained, type Explained } from './test-database.js';

const READS = ['find', 'aggregate', 'count', 'findAndModify'];
const isLast = (read: object): number => Number('aggregate' in read || 'count' in read);

/** A database of its own whose reads are watched, so that exactly what the code asked can be explained. */
export class WatchedDatabase {
  private reads: Record<string, unknown>[] = [];
  private received = 0;

  private constructor(private readonly connection: Connection) {
    connection.getClient().on('commandStarted', ({ commandName, command }) => {
      if (!READS.includes(commandName)) return;
      // What belongs to the session can't be asked again.
      const { lsid: _l, $clusterTime: _c, $db: _d, txnNumber: _t, ...rest } = command as Record<string, unknown>;
      this.reads.push(rest);
    });
    connection.getClient().on('commandSucceeded', ({ reply }) => {
      const { firstBatch = [], nextBatch = [] } =
        (reply as { cursor?: { firstBatch?: unknown[]; nextBatch?: unknown[] } } | undefined)?.cursor ?? {};
      this.received += firstBatch.length + nextBatch.length;
    });
  }

  static async open(): Promise<WatchedDatabase> {
    const url = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
    const dbName = `t_${randomBytes(8).toString('hex')}`;
    return new WatchedDatabase(await mongoose.createConnection(url, { dbName, monitorCommands: true }).asPromise());
  }

  /** The model of a stored class, with its indexes built. */
  async model<T>(name: string, schema: Schema): Promise<Model<T>> {
    const model = this.connection.model(name, schema);
    await model.createCollection();
    await model.createIndexes();
    return model as unknown as Model<T>;
  }

  /** Runs the work, and explains what it made of `find`, `findAndModify`, `count` and `aggregate`, the latter two last. */
  async explain(work: () => Promise<unknown>): Promise<Explained[]> {
    this.reads = [];
    await work();
    const made = [...this.reads].sort((a, b) => isLast(a) - isLast(b));
    return Promise.all(
      made.map(async (read) =>
        explained(await this.connection.db?.command({ explain: read, verbosity: 'executionStats' })),
      ),
    );
  }

  /** Documents that the work was sent. */
  async sentTo(work: () => Promise<unknown>): Promise<number> {
    this.received = 0;
    await work();
    return this.received;
  }

  async close(): Promise<void> {
    await this.connection.dropDatabase();
    await this.connection.close();
  }
}
