import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Collection, CollectionSchema } from '../../collections/data/collection.schema.js';
import { StoredEvent, StoredEventSchema } from '../../events/data/stored-event.schema.js';
import { Item, ItemSchema } from '../../items/data/item.schema.js';
import { Job, JobSchema } from '../../jobs/data/job.schema.js';
import { Org, OrgSchema } from '../../orgs/data/org.schema.js';
import { Page, PageSchema } from '../../pages/data/page.schema.js';
import { Workflow, WorkflowSchema } from '../../workflows/data/workflow.schema.js';
import { RecountsQueries } from './recounts.queries.js';
import { SetAsideQueries } from './set-aside.queries.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Collection.name, schema: CollectionSchema },
      { name: Item.name, schema: ItemSchema },
      { name: Job.name, schema: JobSchema },
      { name: Org.name, schema: OrgSchema },
      { name: Page.name, schema: PageSchema },
      { name: StoredEvent.name, schema: StoredEventSchema },
      { name: Workflow.name, schema: WorkflowSchema },
    ]),
  ],
  providers: [RecountsQueries, SetAsideQueries],
  exports: [RecountsQueries, SetAsideQueries],
})
export class InvariantsDataModule {}
