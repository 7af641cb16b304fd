import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { ApiClient } from './api-client.js';
import { killApiProcess, startApiProcess, type ApiProcess } from './api-process.js';
import { eventually } from './eventually.js';
import { MongoTap, type TappedCommand } from './mongo-tap.js';
import type { ResponseCheck } from './response-check.js';
import { ADMIN, startApp, type AppUnderTest } from './start-app.js';
import { TestClock } from './test-clock.js';

/** The longest a step may take. A loaded machine needs half a minute to start the service. */
export const STEP_MS = 240_000;
/** Generous: what leads to a cut takes a second. */
const CUT_MS = 180_000;
/** The models are checked by the API tests; these are about what is left after a kill. */
const UNCHECKED = { check: () => undefined } as unknown as ResponseCheck;

/** An update of documents of `collection` whose text has `part`. */
export const updates = (collection: string, part: string) => (command: TappedCommand) =>
  command.name === 'update' &&
  command.collection === collection &&
  (JSON.stringify(command.body['updates']) ?? '').includes(part);

/** The built service as a process of its own, whose wire to the database can be cut and which can be killed with -9. */
export class MortalApi {
  private process: ApiProcess | null = null;
  private token: string | null = null;

  private constructor(
    readonly tap: MongoTap,
    /** Past the tap. */
    readonly connection: Connection,
    readonly dataDir: string,
  ) {}

  static async create(): Promise<MortalApi> {
    const url = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
    const dbName = `t_${randomBytes(8).toString('hex')}`;
    const connection = await mongoose.createConnection(url, { dbName }).asPromise();
    const dataDir = await mkdtemp(path.join(tmpdir(), 'muniment-kill-'));
    const api = new MortalApi(await MongoTap.start(url), connection, dataDir);
    await api.start();
    return api;
  }

  /** Starts the service again. Leases of the process that died count as over. */
  async start(): Promise<void> {
    this.process = await startApiProcess({
      MONGO_DB_URL: this.tap.url,
      MONGO_DB_NAME: this.connection.name,
      DATA_DIR: this.dataDir,
    });
  }

  /** Starts the service again where it was killed. */
  async revive(): Promise<void> {
    if (!this.process) await this.start();
  }

  /** Waits until all jobs are over and all items complete. */
  settled(): Promise<void> {
    const count = (name: string, filter: object) => this.connection.collection(name).countDocuments(filter);
    return eventually(async () => {
      expect(await count('jobs', { finished: null })).toBe(0);
      expect(await count('crawls', { state: { $ne: 'complete' } })).toBe(0);
    }, STEP_MS);
  }

  async admin(): Promise<ApiClient> {
    this.token ??= await this.login(ADMIN.email, ADMIN.password);
    return this.as(this.token);
  }

  as(token: string | null): ApiClient {
    return new ApiClient(this.process?.baseUrl ?? '', UNCHECKED, token);
  }

  async login(username: string, password: string): Promise<string> {
    const { status, body } = await this.as(null).call('POST', '/auth/jwt/login', { form: { username, password } });
    if (status !== 200) throw new Error(`login answered ${String(status)}`);
    return body.access_token as string;
  }

  /**
   * Kills the service at a cut of its wire. What mongod and time do by themselves in a minute is done at once: open
   * transactions of the dead end, and so do its leases.
   */
  async killAt(cut: Promise<void>, deed: Promise<unknown>): Promise<void> {
    let answer: unknown = 'none';
    // Its connection goes with the process; an answer is of interest only when the cut is not reached.
    const over = deed.then(
      (value) => void (answer = value),
      (error: unknown) => void (answer = error),
    );
    let sessions: unknown[];
    try {
      await this.reached(cut, () => JSON.stringify(answer));
      await this.kill();
      await over;
    } finally {
      sessions = this.tap.mend();
    }
    if (sessions.length > 0) await this.connection.db?.admin().command({ killSessions: sessions });
    await this.endLeases();
  }

  /** The process that comes after the one that was killed: the same, in here, where its work can be driven. */
  async afterwards(look: (next: AppUnderTest) => Promise<void>): Promise<void> {
    const clock = new TestClock();
    clock.set(new Date());
    const { dataDir, connection } = this;
    const next = await startApp({ like: { clock, dataDir, connection } as AppUnderTest });
    try {
      await look(next);
    } finally {
      await next.stop();
    }
  }

  async close(): Promise<void> {
    await this.kill();
    await this.tap.close();
    await this.connection.dropDatabase();
    await this.connection.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  private async reached(cut: Promise<void>, answer: () => string): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const why = () => `The cut was never reached; answer: ${answer()}; last went by:\n${this.tap.seen.join('\n')}`;
      timer = setTimeout(() => reject(new Error(why())), CUT_MS);
    });
    await Promise.race([cut, late]).finally(() => clearTimeout(timer));
  }

  private async kill(): Promise<void> {
    if (this.process) await killApiProcess(this.process);
    this.process = null;
  }

  private async endLeases(): Promise<void> {
    const over = new Date(0);
    const end = (name: string, field: string) =>
      this.connection.collection(name).updateMany({ [field]: { $type: 'date' } }, { $set: { [field]: over } });
    await Promise.all([
      end('jobs', 'plan.leaseUntil'),
      end('domain_events', 'leaseUntil'),
      end('org_imports', 'leaseUntil'),
    ]);
  }
}
