import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireSuperuser } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import {
  anyBackgroundJob,
  PaginatedBackgroundJobResponse,
  type BackgroundJob,
  AnyJobPath,
  JobsQuery,
} from './dto/jobs.dto.js';
import { toBackgroundJob } from './job.presenter.js';
import { JobsService } from './jobs.service.js';

/** The superuser's view of all orgs' jobs. */
@ApiTags('jobs')
@Controller('orgs/all/jobs')
export class AllJobsController {
  constructor(private readonly jobs: JobsService) {}

  /** Lists the background jobs of all orgs. */
  @Get()
  @Returns(PaginatedBackgroundJobResponse)
  @RequireSuperuser()
  async listAllJobs(@Query() query: JobsQuery): Promise<PaginatedBackgroundJobResponse> {
    const page = await this.jobs.list('all-orgs', query);
    return { ...page, items: page.items.map(toBackgroundJob) };
  }

  /** One job of any org. */
  @Get(':job_id')
  @Returns(anyBackgroundJob())
  @RequireSuperuser()
  async getAnyJob(@Param() { job_id: jobId }: AnyJobPath): Promise<BackgroundJob> {
    return toBackgroundJob(await this.jobs.get('all-orgs', jobId));
  }

  /** Starts a failed job's next attempt. */
  @Post(':job_id/retry')
  @Returns(SuccessResponse)
  @RequireSuperuser()
  async retryAnyJob(@Param() { job_id: jobId }: AnyJobPath): Promise<SuccessResponse> {
    return { success: await this.jobs.retry('all-orgs', jobId) };
  }

  /** Retries every failed job of all orgs, in the background. */
  @Post('retryFailed')
  @Returns(SuccessResponse)
  @RequireSuperuser()
  retryAllFailedJobs(): SuccessResponse {
    this.jobs.retryFailed('all-orgs');
    return { success: true };
  }
}
