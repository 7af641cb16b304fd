import { ListOf } from '../../common/validation/fields.js';
import { CrawlerChannel } from './crawler-channel.dto.js';

export class CrawlerChannels {
  @ListOf(() => CrawlerChannel) channels: CrawlerChannel[] = [];
}
