import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireSuperuser } from '../common/access/access.js';
import { OrgNotFound } from '../common/errors/domain-error.js';
import { Returns } from '../common/openapi/returns.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import { ItemNotFound } from '../items/items.errors.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { PresignedFiles } from '../storage/presigned-files.js';
import { AnyQaRunPath, QARunWithResources } from './dto/qa.dto.js';
import { QaRunsService } from './qa-runs.service.js';
import { toQaRunWithResources } from './qa.presenter.js';

/** Shows superusers QA runs of any org. */
@ApiTags('qa')
@Controller('orgs/all/crawls/:crawl_id/qa')
export class AllOrgsQaController {
  constructor(
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsRepository,
    private readonly runs: QaRunsService,
    private readonly presigned: PresignedFiles,
  ) {}

  /** Returns a finished run with download URLs of its files. */
  @Get(':qa_run_id/replay.json')
  @RequireSuperuser()
  @Returns(QARunWithResources)
  async getAnyQaRunReplay(@Param() path: AnyQaRunPath): Promise<QARunWithResources> {
    const item = await this.items.findByIdAcrossOrgs(path.crawl_id);
    if (!item) throw new ItemNotFound(path.crawl_id);
    const org = await this.orgs.findById(item.oid);
    if (!org) throw new OrgNotFound();
    const run = this.runs.finished(item, path.qa_run_id);
    return toQaRunWithResources(run, this.presigned.resources(org, [{ itemId: run.id, files: run.files }]));
  }
}
