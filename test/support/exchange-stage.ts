import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findVersitygw } from '../../scripts/provision/versitygw.mjs';
import { twoOrgs, type TwoOrgs } from './people.js';
import { startS3Server, storageEntry, type S3Server } from './s3-server.js';
import { startApp, type AppUnderTest } from './start-app.js';

const hasS3 = (process.env['VERSITYGW_BINARY'] ?? (await findVersitygw())) != null;

/** Suites over both kinds of stores; the one over S3 is shown as skipped where there is no server for it. */
export function describeOnStores(title: (store: string) => string, suite: (store: 'local files' | 'S3') => void): void {
  describe(title('local files'), () => suite('local files'));
  (hasS3 ? describe : describe.skip)(title('S3'), () => suite('S3'));
}

/** A service with two orgs that keeps its files in one kind of store. */
export class ExchangeStage {
  private constructor(
    readonly under: AppUnderTest,
    readonly people: TwoOrgs,
    private readonly s3: S3Server | null,
    private readonly folder: string,
  ) {}

  static async open(store: 'local files' | 'S3'): Promise<ExchangeStage> {
    const folder = await mkdtemp(join(tmpdir(), 'muniment-exchange-'));
    const s3 = store === 'S3' ? await startS3Server() : null;
    const settings = join(folder, 'storages.json');
    if (s3) await writeFile(settings, JSON.stringify([storageEntry(s3)]));
    const under = await startApp({ env: s3 ? { STORAGES_JSON: settings } : {}, today: s3 !== null });
    return new ExchangeStage(under, await twoOrgs(under), s3, folder);
  }

  async close(): Promise<void> {
    await this.under.close();
    await rm(this.folder, { recursive: true, force: true });
    await this.s3?.stop();
  }
}
