import type { QaSource } from '../../../crawler/protocol.js';
import type { CrawlJobSpec } from '../crawl-driver.types.js';
import { qaSources } from './crawler-config.js';

/**
 * The URLs of a QA run's source files, as its child was last told them. They are signed for a time, and a run may last
 * longer.
 */
export class ToldSources {
  private known = '';

  /** Notes the URLs that a child has started with. */
  told(spec: CrawlJobSpec): void {
    this.known = JSON.stringify(qaSources(spec));
  }

  /** The URLs that the child has to be told now. Null when it knows them. */
  renewed(spec: CrawlJobSpec | undefined): QaSource[] | null {
    if (spec?.kind !== 'qa' || JSON.stringify(qaSources(spec)) === this.known) return null;
    this.told(spec);
    return qaSources(spec);
  }
}
