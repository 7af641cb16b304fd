import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { processIdentity } from '../provision/lib.mjs';
import { startApi, stopApi } from './api.mjs';
import { spawnDatabase } from './database.mjs';
import { writeRunFile } from './instance.mjs';
import { logFile, rotateLog } from './logs.mjs';

/** Waits before the first, second, … restart in a row; after the last one we give up. */
const RESTART_DELAYS_MS = [200, 1_000, 3_000, 10_000, 30_000];
/** A program that ran this long had started well: its next end counts as the first. */
const STABLE_MS = 60_000;
const ROTATE_EVERY_MS = 600_000;

/**
 * The database and the service on top of it, kept running until `stop`. A part that ends by itself is started again
 * with growing delays; when that does not help, `failed` resolves with the reason.
 */
export class Service {
  #giveUp;
  /** Resolves with the reason when the service cannot be kept running. @type {Promise<Error>} */
  failed = new Promise((resolve) => (this.#giveUp = resolve));
  #stopping = false;
  #restarts = {};
  #spawning = null;
  #database = null;
  #api = null;
  #rotation = null;

  /**
   * @param {object} options
   * @param {string} options.dataDir
   * @param {string} options.url where the service will be reached
   * @param {string | null} options.mongod path of the program; null: MONGO_DB_URL names a database that others run
   * @param {import('./secrets.mjs').Secrets} options.secrets
   * @param {object} options.env environment of the service
   * @param {(line: string) => void} options.log
   */
  constructor(options) {
    this.options = options;
  }

  /** Resolves when the service is ready. @throws {Error} when a part does not start */
  async start() {
    const { mongod, secrets } = this.options;
    const database = mongod ? this.#startDatabase() : Promise.resolve();
    let databaseReady = false;
    database.then(() => (databaseReady = true)).catch(() => {}); // awaited below
    // A database that was in use before knows our user already, so that the service may load while it opens its files.
    await (secrets.superuserCreated ? this.#spawning : database);
    try {
      await this.#startApi();
      await database;
    } catch (error) {
      if (databaseReady) throw error;
      await database; // when both failed, this is the cause
      await this.#startApi(); // it took longer than the service waits, as after a power cut
    }
    this.#rotation = setInterval(() => this.#rotateLogs(), ROTATE_EVERY_MS).unref();
  }

  /** Ends the service, then the database: in this order nothing acknowledged is lost. */
  async stop() {
    this.#stopping = true;
    clearInterval(this.#rotation);
    // A database that is just being started must not be left behind.
    await this.#spawning?.catch(() => {});
    if (this.#api) await stopApi(this.#api);
    await this.#database?.stop();
  }

  async #startDatabase() {
    const { mongod, dataDir, secrets } = this.options;
    const before = this.#database?.url;
    this.#spawning = spawnDatabase({ binary: mongod, dataDir, secrets });
    this.#database = await this.#spawning;
    this.#writeRunFile();
    await this.#database.ready;
    this.#keepAlive('database', this.#database.child, () => this.#startDatabase());
    // Somebody took the old port meanwhile: the service has to learn the new one, which it reads at its start.
    if (before && before !== this.#database.url) await stopApi(this.#api);
  }

  async #startApi() {
    if (this.#stopping) throw new Error('Stopped while starting.');
    const { dataDir, env, url } = this.options;
    const database = this.#database ? { MONGO_DB_URL: this.#database.url } : {};
    const child = await startApi({ dataDir, url, env: { ...env, ...database } }, (spawned) => {
      this.#api = spawned;
      this.#writeRunFile();
    });
    this.#keepAlive('service', child, () => this.#startApi());
  }

  #keepAlive(name, child, restart) {
    const since = performance.now();
    const watch = async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      if (this.#stopping) return;
      this.options.log(`The ${name} ended unexpectedly (${child.exitCode ?? child.signalCode}). Starting it again …`);
      await this.#restart(name, restart, performance.now() - since);
    };
    watch().catch((error) => this.#giveUp(error));
  }

  async #restart(name, restart, ranMs) {
    const counts = this.#restarts;
    if (ranMs >= STABLE_MS) counts[name] = 0;
    for (;;) {
      const delayMs = RESTART_DELAYS_MS[counts[name] ?? 0];
      if (delayMs === undefined)
        throw new Error(`The ${name} does not stay up. Logs: ${logFile(this.options.dataDir, '*')}`);
      counts[name] = (counts[name] ?? 0) + 1;
      await delay(delayMs);
      if (this.#stopping) return;
      try {
        await restart();
        this.options.log(`The ${name} is back.`);
        return;
      } catch (error) {
        if (this.#stopping) return;
        this.options.log(error.message);
      }
    }
  }

  #writeRunFile() {
    const { dataDir, url } = this.options;
    const name = (child) => (child?.pid ? processIdentity(child.pid) : undefined);
    writeRunFile(dataDir, { url, api: name(this.#api), mongod: name(this.#database?.child) });
  }

  #rotateLogs() {
    for (const name of ['api', 'mongod']) rotateLog(logFile(this.options.dataDir, name));
  }
}
