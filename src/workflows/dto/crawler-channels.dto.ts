import { list, model } from '../../common/validation/composites.js';
import { CrawlerChannel } from './crawler-channel.dto.js';
import { Field } from '../../common/validation/model.js';

export class CrawlerChannels {
  @Field(list(model(() => CrawlerChannel)), { default: [] }) channels!: CrawlerChannel[];
}
