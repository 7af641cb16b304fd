import { Module } from '@nestjs/common';
import { DriversModule } from '../drivers/drivers.module.js';
import { ItemsModule } from '../items/items.module.js';
import { PagesDataModule } from '../pages/data/pages-data.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { DedupeDataModule } from './data/dedupe-data.module.js';
import { IndexCopier } from './index-copier.js';
import { IndexFilling } from './index-filling.js';
import { IndexesOfOrg } from './indexes-of-org.js';
import { OriginalsAnswers } from './originals-answers.js';
import { OriginalsFinder } from './originals-finder.js';
import { Requirements } from './requirements.js';
import { WaczImporter } from './wacz-importer.js';

/** The entries of dedupe indexes: where they come from, and what crawls are told. Collections own the indexes. */
@Module({
  imports: [DedupeDataModule, DriversModule, ItemsModule, PagesDataModule, StorageModule],
  providers: [IndexCopier, IndexFilling, IndexesOfOrg, OriginalsAnswers, OriginalsFinder, Requirements, WaczImporter],
  exports: [DedupeDataModule, IndexCopier, OriginalsFinder, Requirements, WaczImporter],
})
export class DedupeModule {}
