import type { QaSource } from '../../../crawler/protocol.js';
import type { CrawlJobSpec } from '../crawl-driver.types.js';
import { qaSources } from './crawler-config.js';

/** The URLs of a quality check's files as its child knows them. They are signed for a time, which a run may outlast. */
export class ToldSources {
  private known = '';

  /** Notes the URLs that a child has started with. */
  told(spec: CrawlJobSpec): void {
    this.known = JSON.stringify(qaSources(spec));
  }

  /** What the child has to be told now; null when it knows. */
  renewed(spec: CrawlJobSpec | undefined): QaSource[] | null {
    if (spec?.kind !== 'qa' || JSON.stringify(qaSources(spec)) === this.known) return null;
    this.told(spec);
    return qaSources(spec);
  }
}
