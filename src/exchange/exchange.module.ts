import { Module } from '@nestjs/common';
import { CollectionsModule } from '../collections/collections.module.js';
import { ItemsModule } from '../items/items.module.js';
import { OrgsModule } from '../orgs/orgs.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { CaptureLines } from './cdx/capture-lines.js';
import { Captures } from './cdx/captures.js';
import { CollectionCdxController, ItemCdxController, PublicCdxController } from './cdx/cdx.controller.js';
import { KnownIndexes } from './cdx/known-indexes.js';
import { ExchangeDataModule } from './data/exchange-data.module.js';
import { ExchangedFiles } from './exchanged-files.js';
import { MementoController } from './memento/memento.controller.js';
import { MementoServer } from './memento/memento-server.js';
import { Mementos } from './memento/mementos.js';
import { RawMementos } from './memento/raw-mementos.js';
import { TimeMaps } from './memento/time-maps.js';
import { Webdata } from './wasapi/webdata.js';
import { WebdataController } from './wasapi/webdata.controller.js';
import { CollectionStandaloneController, ItemStandaloneController } from './wacz/standalone.controller.js';
import { StandaloneWaczs } from './wacz/standalone-waczs.js';
import { ItemWarcs } from './warc/item-warcs.js';
import { ItemWarcController } from './warc/warc.controller.js';

/** Hands archives out in the forms that other tools of the field read. */
@Module({
  imports: [CollectionsModule, ExchangeDataModule, ItemsModule, OrgsModule, StorageModule],
  controllers: [
    ItemCdxController,
    CollectionCdxController,
    PublicCdxController,
    ItemWarcController,
    ItemStandaloneController,
    CollectionStandaloneController,
    MementoController,
    WebdataController,
  ],
  providers: [
    CaptureLines,
    Captures,
    ExchangedFiles,
    ItemWarcs,
    KnownIndexes,
    MementoServer,
    Mementos,
    RawMementos,
    StandaloneWaczs,
    TimeMaps,
    Webdata,
  ],
})
export class ExchangeModule {}
