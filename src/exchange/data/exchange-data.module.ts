import { DataModule } from '../../database/data-module.js';
import { ItemSchema } from '../../items/data/item.schema.js';
import { WebdataQueries } from './webdata.queries.js';

@DataModule({ models: { Item: ItemSchema }, providers: [WebdataQueries] })
export class ExchangeDataModule {}
