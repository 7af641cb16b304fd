import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireSuperuser } from '../common/access/access.js';
import { PublicOrigin } from '../links/origins.js';
import { Returns } from '../common/openapi/returns.js';
import type { ListPage } from '../common/pagination/page.js';
import { CrawlOutWithResources, CrawlOut, PaginatedCrawlOutResponse } from '../items/dto/items.dto.js';
import { ItemReader } from '../items/item-reader.js';
import { CrawlsService } from './crawls.service.js';
import { AcrossOrgsQuery, AnyCrawlPath, WithDependenciesQuery } from './dto/crawls.dto.js';

/** The superuser's view of all orgs' crawls. */
@ApiTags('crawls')
@Controller('orgs/all/crawls')
export class CrawlsAcrossOrgsController {
  constructor(
    private readonly crawls: CrawlsService,
    private readonly reader: ItemReader,
  ) {}

  /** Active crawls of all orgs, or all crawls with `runningOnly=false`. */
  @Get()
  @Returns(PaginatedCrawlOutResponse)
  @RequireSuperuser()
  async listAllCrawls(@Query() query: AcrossOrgsQuery): Promise<ListPage<CrawlOut>> {
    return this.crawls.listAcrossOrgs(query);
  }

  /** Returns a crawl of any org. */
  @Get(':crawl_id')
  @Returns(CrawlOut)
  @RequireSuperuser()
  async getAnyCrawl(@Param() { crawl_id: crawlId }: AnyCrawlPath): Promise<CrawlOut> {
    return this.crawls.get(null, crawlId);
  }

  /** Returns a crawl of any org with all that the player needs. */
  @Get(':crawl_id/replay.json')
  @Returns(CrawlOutWithResources)
  @RequireSuperuser()
  async getAnyCrawlReplay(
    @Param() { crawl_id: crawlId }: AnyCrawlPath,
    @Query() { withDependencies }: WithDependenciesQuery,
    @PublicOrigin() origin: string,
  ): Promise<CrawlOutWithResources> {
    return this.reader.detailAcrossOrgs(crawlId, { withDependencies, origin }, 'crawl');
  }
}
