import { DataModule } from '../../database/data-module.js';
import { SchedulesRepository } from './schedules.repository.js';
import { WorkflowFiguresRepository } from './workflow-figures.repository.js';
import { WorkflowRevisionSchema } from './workflow-revision.schema.js';
import { WorkflowRevisionsRepository } from './workflow-revisions.repository.js';
import { WorkflowSchema } from './workflow.schema.js';
import { WorkflowsQueries } from './workflows.queries.js';
import { WorkflowsReads } from './workflows.reads.js';
import { WorkflowsRepository } from './workflows.repository.js';

@DataModule({
  models: { Workflow: WorkflowSchema, WorkflowRevision: WorkflowRevisionSchema },
  providers: [
    WorkflowsReads,
    WorkflowsRepository,
    WorkflowsQueries,
    WorkflowRevisionsRepository,
    WorkflowFiguresRepository,
    SchedulesRepository,
  ],
})
export class WorkflowsDataModule {}
