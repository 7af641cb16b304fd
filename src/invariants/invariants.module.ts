import { Module } from '@nestjs/common';
import { CollectionsDataModule } from '../collections/data/collections-data.module.js';
import { ObjectsModule } from '../objects/objects.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { CounterChecks } from './counter-checks.js';
import { modelsOf } from '../database/data-module.js';
import { CollectionSchema } from '../collections/data/collection.schema.js';
import { StoredEventSchema } from '../events/data/stored-event.schema.js';
import { ItemHoldSchema } from '../items/data/item-hold.schema.js';
import { ItemSchema } from '../items/data/item.schema.js';
import { KeptItemSchema } from '../items/data/kept-item.schema.js';
import { JobSchema } from '../jobs/data/job.schema.js';
import { OrgSchema } from '../orgs/data/org.schema.js';
import { PageSchema } from '../pages/data/page.schema.js';
import { WorkflowSchema } from '../workflows/data/workflow.schema.js';
import { DependenciesQueries } from './data/dependencies.queries.js';
import { RecountsQueries } from './data/recounts.queries.js';
import { SetAsideQueries } from './data/set-aside.queries.js';
import { ArchiveChecks } from './archive-checks.js';
import { ArchiveReader } from './archive-reader.js';
import { DependencyChecks } from './dependency-checks.js';
import { FileChecks } from './file-checks.js';
import { Invariants } from './invariants.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { LedgerChecks } from './ledger-checks.js';

/** Checks whether the archive agrees with its own records. */
@Module({
  imports: [
    CollectionsDataModule,
    modelsOf({
      Collection: CollectionSchema,
      Item: ItemSchema,
      ItemHold: ItemHoldSchema,
      Job: JobSchema,
      KeptItem: KeptItemSchema,
      Org: OrgSchema,
      Page: PageSchema,
      StoredEvent: StoredEventSchema,
      Workflow: WorkflowSchema,
    }),
    LedgerModule,
    ObjectsModule,
    OrgsModule,
    StorageModule,
  ],
  providers: [
    RecountsQueries,
    DependenciesQueries,
    SetAsideQueries,
    CounterChecks,
    ArchiveReader,
    ArchiveChecks,
    DependencyChecks,
    FileChecks,
    LedgerChecks,
    Invariants,
  ],
  exports: [Invariants],
})
export class InvariantsModule {}
