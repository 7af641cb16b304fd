import { DataModule } from '../../database/data-module.js';
import { ImportMarkSchema } from './import-mark.schema.js';
import { ImportMarksRepository } from './import-marks.repository.js';
import { OrgSchema } from './org.schema.js';
import { OrgArchiveRepository } from './org-archive.repository.js';
import { OrgBackfills } from './org-backfills.js';
import { OrgMembersRepository } from './org-members.repository.js';
import { OrgStoragesRepository } from './org-storages.repository.js';
import { OrgUsageRepository } from './org-usage.repository.js';
import { OrgMetricsQueries } from './org-metrics.queries.js';
import { OrgsQueries } from './orgs.queries.js';
import { OrgsReads } from './orgs.reads.js';
import { OrgsRepository } from './orgs.repository.js';

@DataModule({
  models: { Org: OrgSchema, ImportMark: ImportMarkSchema },
  providers: [
    OrgsReads,
    OrgsRepository,
    OrgsQueries,
    OrgMetricsQueries,
    OrgMembersRepository,
    OrgStoragesRepository,
    OrgUsageRepository,
    OrgArchiveRepository,
    ImportMarksRepository,
    OrgBackfills,
  ],
})
export class OrgsDataModule {}
