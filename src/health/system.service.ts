import { Injectable } from '@nestjs/common';
import { VERSION } from '../common/product.js';
import { AppConfig } from '../config/app-config.js';
import { CrawlDriver } from '../drivers/crawl-driver.js';
import { Links } from '../links/links.js';
import { Mailer } from '../mail/mailer.js';
import { sendTestMail } from '../mail/test-mail.js';
import { Storages } from '../storage/storages.js';
import { DatabaseStateQueries } from './data/database-state.queries.js';
import { diskSpace } from './disk-space.js';
import type { SystemState, TestMailResult } from './dto/system.dto.js';

const answers = (ping: Promise<unknown>): Promise<boolean> =>
  ping.then(
    () => true,
    () => false,
  );

/** How the deployment is doing, for those who run it. */
@Injectable()
export class SystemService {
  constructor(
    private readonly config: AppConfig,
    private readonly database: DatabaseStateQueries,
    private readonly driver: CrawlDriver,
    private readonly storages: Storages,
    private readonly mailer: Mailer,
    private readonly links: Links,
  ) {}

  async state(): Promise<SystemState> {
    const { dataDir } = this.config;
    const [database, disk, isDriverReady, areStoragesReady] = await Promise.all([
      this.database.read(),
      diskSpace(dataDir),
      answers(this.driver.ping()),
      answers(this.storages.ping()),
    ]);
    const primary = this.storages.defaultPrimary.name;
    const names = this.storages.defaultRefs.map(({ name }) => name).filter((name) => name !== primary);
    return {
      version: VERSION,
      node: process.versions.node,
      driver: this.driver.kind,
      isDriverReady,
      database,
      disk: { path: dataDir, ...disk },
      storages: [primary, ...names],
      areStoragesReady,
      mail: this.mailer.target,
    };
  }

  /** Sends the mail of `muniment mail test` to this address. */
  async sendTestMail(to: string): Promise<TestMailResult> {
    const reason = await sendTestMail(this.mailer, { to, origin: this.links.settled() }, this.config.mail);
    return { success: reason === null, target: this.mailer.target, reason: reason ?? '' };
  }
}
