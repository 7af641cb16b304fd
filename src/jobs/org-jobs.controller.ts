import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import { Uuid } from '../common/validation/fields.js';
import {
  anyBackgroundJob,
  PaginatedBackgroundJobResponse,
  type BackgroundJob,
  JobPath,
  JobsQuery,
} from './dto/jobs.dto.js';
import { toBackgroundJob } from './job.presenter.js';
import { JobsService } from './jobs.service.js';

class OrgPath {
  @Uuid() oid!: string;
}

@ApiTags('jobs')
@Controller('orgs/:oid/jobs')
export class OrgJobsController {
  constructor(private readonly jobs: JobsService) {}

  /** Lists the org's background jobs. */
  @Get()
  @Returns(PaginatedBackgroundJobResponse, { notFound: true })
  @RequireRole('crawler')
  async list(@Param() { oid }: OrgPath, @Query() query: JobsQuery): Promise<PaginatedBackgroundJobResponse> {
    const page = await this.jobs.list({ oid }, query);
    return { ...page, items: page.items.map(toBackgroundJob) };
  }

  /** One job. */
  @Get(':job_id')
  @Returns(anyBackgroundJob(), { notFound: true })
  @RequireRole('crawler')
  async get(@Param() { oid, job_id: jobId }: JobPath): Promise<BackgroundJob> {
    return toBackgroundJob(await this.jobs.get({ oid }, jobId));
  }

  /** Starts a failed job's next attempt. */
  @Post(':job_id/retry')
  @Returns(SuccessResponse, { notFound: true })
  @RequireRole('crawler')
  async retry(@Param() { oid, job_id: jobId }: JobPath): Promise<SuccessResponse> {
    return { success: await this.jobs.retry({ oid }, jobId) };
  }

  /** Retries every failed job of the org, in the background. */
  @Post('retryFailed')
  @Returns(SuccessResponse, { notFound: true })
  @RequireRole('crawler')
  retryFailedOrgJobs(@Param() { oid }: OrgPath): SuccessResponse {
    this.jobs.retryFailed({ oid });
    return { success: true };
  }
}
