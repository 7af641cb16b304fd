import { Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole, RequireSuperuser } from '../../common/access/access.js';
import { Returns } from '../../common/openapi/returns.js';
import { SuccessResponseId } from '../../common/responses/responses.dto.js';
import { JobStarter } from '../../jobs/job-starter.js';
import { StartedResponse } from '../../pages/dto/pages.dto.js';
import type { Item } from '../data/item.schema.js';
import { ItemOrgPath } from '../dto/item-queries.dto.js';
import { PageReAddJob } from './page-readd-job.js';
import { ItemPath } from '../../pages/dto/page-queries.dto.js';

/** Routes that start jobs which read pages again from the files. Contract: archive §6. */
abstract class PageReAddRoutes {
  /** The type that `all` covers under this prefix; null means both types. */
  protected abstract readonly type: Item['type'] | null;

  constructor(private readonly job: PageReAddJob) {}

  /** Starts a job that again reads the pages of one item, of any type. @throws CrawlNotFound */
  @Post(':crawl_id/pages/reAdd')
  @RequireRole('crawler')
  @Returns(StartedResponse)
  async start(@Param() { oid, crawl_id: itemId }: ItemPath): Promise<StartedResponse> {
    return { started: await this.job.startForItem(oid, itemId) };
  }

  /** Starts a job that again reads the pages of all the org's items of this type. Only superusers may call this. */
  @Post('all/pages/reAdd')
  @RequireSuperuser('Not Allowed', 'crawler')
  @Returns(StartedResponse)
  async startAll(@Param() { oid }: ItemOrgPath): Promise<StartedResponse> {
    return { started: await this.job.startForOrg(oid, this.type) };
  }
}

@ApiTags('pages', 'crawls')
@Controller('orgs/:oid/crawls')
export class CrawlPageReAddsController extends PageReAddRoutes {
  protected readonly type = 'crawl';
  constructor(job: PageReAddJob) {
    super(job);
  }
}

@ApiTags('pages', 'uploads')
@Controller('orgs/:oid/uploads')
export class UploadPageReAddsController extends PageReAddRoutes {
  protected readonly type = 'upload';
  constructor(job: PageReAddJob) {
    super(job);
  }
}

@ApiTags('pages', 'all-crawls')
@Controller('orgs/:oid/all-crawls')
export class ItemPageReAddsController extends PageReAddRoutes {
  protected readonly type = null;
  constructor(job: PageReAddJob) {
    super(job);
  }
}

@ApiTags('jobs')
@Controller('orgs/all/jobs')
export class PageMigrationController {
  constructor(private readonly jobs: JobStarter) {}

  /** Starts the page migration of all items that the reference left in its old format. */
  @Post('migrateCrawls')
  @Returns(SuccessResponseId)
  @RequireSuperuser()
  async migrateAllCrawls(): Promise<SuccessResponseId> {
    return { success: true, id: await this.jobs.start('optimize-pages', { oid: null }) };
  }
}
