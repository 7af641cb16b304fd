import { list, model, nullable } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { CrawlerProxy } from './crawler-proxy.dto.js';
import { Field } from '../../common/validation/model.js';

export class CrawlerProxies {
  @Field(nullable(str()), { default: null }) default_proxy_id!: string | null;
  @Field(list(model(() => CrawlerProxy)), { default: [] }) servers!: CrawlerProxy[];
}
