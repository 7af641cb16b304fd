import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequireRole, type Principal } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import type { ListPage as ListPage } from '../common/pagination/page.js';
import { DeletedResponse, UpdatedResponse } from '../common/responses/responses.dto.js';
import type { Page } from './data/page.schema.js';
import {
  CrawlPagesQuery,
  ItemPagePath,
  ItemPagesQuery,
  ItemPath,
  PageSearchQuery,
  QaPagesQuery,
  QaRunPagePath,
  QaPagesPath,
} from './dto/page-queries.dto.js';
import {
  PageNoteAddedResponse,
  PageNoteDelete,
  PageNoteEdit,
  PageNoteIn,
  PageNoteUpdatedResponse,
} from './dto/page-notes.dto.js';
import {
  PageOutItemsResponse,
  PageOutWithSingleQA,
  PageOut,
  PageReviewUpdate,
  PaginatedPageOutResponse,
  PaginatedPageOutWithQAResponse,
} from './dto/pages.dto.js';
import { PageReviewsService } from './page-reviews.service.js';
import { toPageNote, toPageOut, toPageOutWithQa } from './page.presenter.js';
import { PagesService } from './pages.service.js';

const present = (list: ListPage<Page>): PaginatedPageOutResponse => ({ ...list, items: list.items.map(toPageOut) });

/** Routes of one page, equal under all three prefixes. The item's type is not checked. Contract: archive §6. */
abstract class SinglePageRoutes {
  constructor(protected readonly pages: PagesService) {}

  /** Returns one page. @throws PageNotFound */
  @Get('pages/:page_id')
  @RequireRole('viewer')
  @Returns(PageOut)
  async get(@Param() { oid, crawl_id, page_id }: ItemPagePath): Promise<PageOut> {
    return toPageOut(await this.pages.get(oid, crawl_id, page_id));
  }
}

abstract class PageListRoutes extends SinglePageRoutes {
  /** Lists pages of an item; an unknown item has none. */
  @Get('pages')
  @RequireRole('viewer')
  @Returns(PaginatedPageOutResponse)
  async list(@Param() path: ItemPath, @Query() query: ItemPagesQuery): Promise<PaginatedPageOutResponse> {
    return present(await this.pages.listOfItem(path.oid, path.crawl_id, query));
  }
}

@ApiTags('pages', 'uploads')
@Controller('orgs/:oid/uploads/:crawl_id')
export class UploadPagesController extends PageListRoutes {
  constructor(pages: PagesService) {
    super(pages);
  }
}

@ApiTags('pages', 'all-crawls')
@Controller('orgs/:oid/all-crawls/:crawl_id')
export class ItemPagesController extends PageListRoutes {
  constructor(pages: PagesService) {
    super(pages);
  }
}

@ApiTags('pages', 'crawls')
@Controller('orgs/:oid/crawls/:crawl_id')
export class CrawlPagesController extends SinglePageRoutes {
  constructor(pages: PagesService) {
    super(pages);
  }

  /** Lists pages of a crawl, optionally only those whose QA values lie within bounds. */
  @Get('pages')
  @RequireRole('viewer')
  @Returns(PaginatedPageOutResponse)
  async list(@Param() path: ItemPath, @Query() query: CrawlPagesQuery): Promise<PaginatedPageOutResponse> {
    return present(await this.pages.listOfCrawl(path.oid, path.crawl_id, query));
  }

  /** Looks up pages of any item for the player, without a total. */
  @Get('pagesSearch')
  @RequireRole('viewer')
  @Returns(PageOutItemsResponse)
  async searchCrawlPages(@Param() path: ItemPath, @Query() query: PageSearchQuery): Promise<PageOutItemsResponse> {
    return { items: (await this.pages.search(path.oid, [path.crawl_id], query)).map(toPageOut) };
  }
}

/** Sets verdicts and notes. Contract: crawling §7.3. */
@ApiTags('pages')
@Controller('orgs/:oid/crawls/:crawl_id/pages/:page_id')
export class PageReviewsController {
  constructor(private readonly reviews: PageReviewsService) {}

  /** Sets or withdraws the verdict. @throws PageNotFound */
  @Patch()
  @RequireRole('crawler')
  @Returns(UpdatedResponse)
  async reviewPage(
    @Param() { oid, crawl_id: crawlId, page_id: pageId }: ItemPagePath,
    @Body() body: PageReviewUpdate,
    @Caller() caller: Principal,
  ): Promise<UpdatedResponse> {
    await this.reviews.approve({ oid, crawlId, pageId }, caller, body.approved ?? null);
    return { updated: true };
  }

  /** Adds a note to a page. @throws PageNotFound */
  @Post('notes')
  @RequireRole('crawler')
  @Returns(PageNoteAddedResponse)
  async addPageNote(
    @Param() { oid, crawl_id: crawlId, page_id: pageId }: ItemPagePath,
    @Body() { text }: PageNoteIn,
    @Caller() caller: Principal,
  ): Promise<PageNoteAddedResponse> {
    return { added: true, data: toPageNote(await this.reviews.addNote({ oid, crawlId, pageId }, caller, text)) };
  }

  /** Changes the text of a note. @throws PageNotFound, PageNoteNotFound */
  @Patch('notes')
  @RequireRole('crawler')
  @Returns(PageNoteUpdatedResponse)
  async editPageNote(
    @Param() { oid, crawl_id: crawlId, page_id: pageId }: ItemPagePath,
    @Body() edit: PageNoteEdit,
    @Caller() caller: Principal,
  ): Promise<PageNoteUpdatedResponse> {
    return { updated: true, data: toPageNote(await this.reviews.editNote({ oid, crawlId, pageId }, caller, edit)) };
  }

  /** Ignores ids that are not on the page. @throws PageNotFound */
  @Post('notes/delete')
  @RequireRole('crawler')
  @Returns(DeletedResponse)
  async deletePageNotes(
    @Param() { oid, crawl_id: crawlId, page_id: pageId }: ItemPagePath,
    @Body() { delete_list }: PageNoteDelete,
  ): Promise<DeletedResponse> {
    await this.reviews.deleteNotes({ oid, crawlId, pageId }, delete_list);
    return { deleted: true };
  }
}

/** Shows pages with the values of one QA run. Contract: crawling §8.3. */
@ApiTags('pages', 'qa')
@Controller('orgs/:oid/crawls/:crawl_id/qa/:qa_run_id/pages')
export class QaPagesController {
  constructor(private readonly pages: PagesService) {}

  /** Lists only pages for which the run has values. @throws RangeMissing */
  @Get()
  @RequireRole('viewer')
  @Returns(PaginatedPageOutWithQAResponse)
  async list(@Param() path: QaPagesPath, @Query() query: QaPagesQuery): Promise<PaginatedPageOutWithQAResponse> {
    const run = { crawlId: path.crawl_id, qaRunId: path.qa_run_id };
    const list = await this.pages.listOfQaRun(path.oid, run, query);
    return { ...list, items: list.items.map((page) => toPageOutWithQa(page, run.qaRunId)) };
  }

  /** Returns a page; `qa` is null when the run has no values for it. @throws PageNotFound */
  @Get(':page_id')
  @RequireRole('viewer')
  @Returns(PageOutWithSingleQA)
  async get(@Param() path: QaRunPagePath): Promise<PageOutWithSingleQA> {
    return toPageOutWithQa(await this.pages.get(path.oid, path.crawl_id, path.page_id), path.qa_run_id);
  }
}
