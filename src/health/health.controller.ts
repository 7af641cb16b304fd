import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Public } from '../common/access/access.js';
import { NotReadyYet } from '../common/errors/domain-error.js';
import { CrawlDriver } from '../drivers/crawl-driver.js';
import { Draining } from './draining.js';
import { Startup } from '../database/startup.js';
import { Storages } from '../storage/storages.js';

/** Probes of the process; outside `/api` and outside the OpenAPI document. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly startup: Startup,
    @InjectConnection() private readonly connection: Connection,
    private readonly storages: Storages,
    private readonly driver: CrawlDriver,
    private readonly draining: Draining,
  ) {}

  /** The process answers. */
  @Get('healthz')
  @Public()
  alive(): object {
    return {};
  }

  /** Start-up is over. @throws NotReadyYet */
  @Get('healthzStartup')
  @Public()
  started(): object {
    if (!this.startup.ready) throw new NotReadyYet();
    return {};
  }

  /** Whatever requests need is reachable, and the process is not about to leave. @throws NotReadyYet */
  @Get('readyz')
  @Public()
  async ready(): Promise<object> {
    if (!this.startup.ready || this.draining.isLeaving) throw new NotReadyYet();
    try {
      await Promise.all([this.connection.db?.admin().ping(), this.storages.ping(), this.driver.ping()]);
    } catch {
      throw new NotReadyYet();
    }
    return {};
  }
}
