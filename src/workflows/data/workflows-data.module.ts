import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SchedulesRepository } from './schedules.repository.js';
import { WorkflowFiguresRepository } from './workflow-figures.repository.js';
import { WorkflowRevision, WorkflowRevisionSchema } from './workflow-revision.schema.js';
import { WorkflowRevisionsRepository } from './workflow-revisions.repository.js';
import { Workflow, WorkflowSchema } from './workflow.schema.js';
import { WorkflowsQueries } from './workflows.queries.js';
import { WorkflowsReads } from './workflows.reads.js';
import { WorkflowsRepository } from './workflows.repository.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Workflow.name, schema: WorkflowSchema },
      { name: WorkflowRevision.name, schema: WorkflowRevisionSchema },
    ]),
  ],
  providers: [
    WorkflowsReads,
    WorkflowsRepository,
    WorkflowsQueries,
    WorkflowRevisionsRepository,
    WorkflowFiguresRepository,
    SchedulesRepository,
  ],
  exports: [
    WorkflowsReads,
    WorkflowsRepository,
    WorkflowsQueries,
    WorkflowRevisionsRepository,
    WorkflowFiguresRepository,
    SchedulesRepository,
  ],
})
export class WorkflowsDataModule {}
