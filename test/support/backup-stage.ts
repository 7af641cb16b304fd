import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import type { ApiClient } from './api-client.js';
import { cli, type CliRun } from './cli.js';
import { CrawlStage } from './crawl-stage.js';
import { expectInvariants } from './invariants.js';
import { startApp, type AppUnderTest } from './start-app.js';
import { waczOf } from './zip.js';

/** What answers say of links: which process made them, signed with its key, until when. */
const LINKS = /\?X-Amz[^"]*|http:\/\/127\.0\.0\.1:\d+|"expireAt":"[^"]*"/g;

/** One empty installation: a database and a data folder. */
export interface Place {
  readonly env: Record<string, string>;
  readonly connection: Connection;
}

/** An archive with one of everything that has objects, folders for backups of it, and empty places for restores. */
export class BackupStage {
  private readonly places: Place[] = [];

  private constructor(
    readonly on: AppUnderTest,
    readonly oid: string,
    readonly folder: string,
  ) {}

  static async open(): Promise<BackupStage> {
    const on = await startApp();
    const stage = await CrawlStage.of(on);
    stage.driver.script({ pagesPerSeed: 3, pageSeconds: 1 });
    const crawlId = await stage.start(await stage.aWorkflow());
    await stage.until(crawlId, 'complete');
    const opened = new BackupStage(on, stage.oid, await mkdtemp(join(tmpdir(), 'muniment-backup-')));
    const api = await on.admin();
    const uploadId = await opened.upload(api, 'first');
    const raw = new TextEncoder().encode('https://a.example/\n');
    await api.put(`/orgs/${stage.oid}/files/seedFile`, undefined, { query: { filename: 'a.txt' }, raw });
    await api.post(`/orgs/${stage.oid}/collections`, { name: 'Both', crawlIds: [crawlId, uploadId] });
    await expectInvariants(on);
    return opened;
  }

  /** @returns the item's id */
  async upload(api: ApiClient, name: string): Promise<string> {
    const raw = new Uint8Array(await waczOf([`https://${name}.example/`, 'https://b.example/']));
    const options = { query: { filename: `${name}.wacz` }, raw };
    const { body } = await api.put(`/orgs/${this.oid}/uploads/stream`, undefined, options);
    return body.id as string;
  }

  /** The answers that a backup has to keep. */
  async answers(on: AppUnderTest): Promise<Record<string, unknown>> {
    const api = await on.admin();
    const base = `/orgs/${this.oid}`;
    const lists = ['', '/all-crawls', '/crawlconfigs', '/collections', '/files', '/profiles', '/jobs', '/users'];
    const items = ((await api.get(`${base}/all-crawls`)).body.items as { id: string }[]).map(({ id }) => id);
    const collections = ((await api.get(`${base}/collections`)).body.items as { id: string }[]).map(({ id }) => id);
    const paths = [
      ...lists.map((list) => `${base}${list}`),
      ...items.map((id) => `${base}/all-crawls/${id}`),
      ...items.map((id) => `${base}/all-crawls/${id}/pages`),
      ...collections.map((id) => `${base}/collections/${id}`),
      '/users/me',
      '/orgs',
    ];
    const answers: Record<string, unknown> = {};
    for (const path of paths) {
      const { status, body } = await api.get(path);
      answers[path] = [status, JSON.stringify(body).replace(LINKS, '')];
    }
    return answers;
  }

  /** Every object by its key, as bytes. */
  async objects(dataDir: string): Promise<Map<string, string>> {
    const root = join(dataDir, 'storage');
    const found = new Map<string, string>();
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      found.set(path.slice(root.length), (await readFile(path)).toString('base64'));
    }
    return found;
  }

  target(name: string): string {
    return join(this.folder, name);
  }

  async keyFile(name = 'key'): Promise<string> {
    const file = join(this.folder, `${name}.txt`);
    await writeFile(file, randomBytes(32).toString('hex'));
    return file;
  }

  async place(): Promise<Place> {
    const url = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
    const dbName = `t_${randomBytes(8).toString('hex')}`;
    const connection = await mongoose.createConnection(url, { dbName }).asPromise();
    const dataDir = await mkdtemp(join(this.folder, 'data-'));
    const env = { MONGO_DB_URL: url, MONGO_DB_NAME: dbName, DATA_DIR: dataDir };
    const place = { env, connection };
    this.places.push(place);
    return place;
  }

  /** The environment of commands on the archive itself. */
  get env(): Record<string, string> {
    return { MONGO_DB_NAME: this.on.connection.name, DATA_DIR: this.on.dataDir };
  }

  backup(...argv: string[]): Promise<CliRun> {
    return cli(['backup', ...argv], this.env);
  }

  async close(): Promise<void> {
    for (const { connection } of this.places) {
      await connection.dropDatabase();
      await connection.close();
    }
    await rm(this.folder, { recursive: true, force: true });
    await this.on.close();
  }
}
