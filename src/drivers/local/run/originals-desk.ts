import type { OriginalCapture } from '../../../../crawler/protocol.js';
import type { CrawlJobSpec, FindOriginals, OriginalsQuestion } from '../../crawl-driver.types.js';
import type { DriverLogger } from './run-launcher.js';

const DIGEST = /^sha256:[0-9a-f]{64}$/;
/** Most digests of one question (`OriginalsQuestion`). */
const MAX_DIGESTS = 500;

/** Answers the questions of one child for bodies that its collection holds. */
export class OriginalsDesk {
  private isFailing = false;

  constructor(
    private readonly find: FindOriginals,
    private readonly crawl: Pick<CrawlJobSpec, 'oid' | 'crawlId'> &
      Pick<OriginalsQuestion, 'collectionId' | 'asksPages'>,
    private readonly logger: DriverLogger,
  ) {}

  /** What is found of the digests. Nothing when the index can't be asked: the crawl then captures the bodies whole. */
  async answer(asked: readonly unknown[]): Promise<OriginalCapture[]> {
    const digests = asked.filter((digest) => typeof digest === 'string' && DIGEST.test(digest)).slice(0, MAX_DIGESTS);
    if (digests.length === 0) return [];
    try {
      const found = await this.find({ ...this.crawl, digests: digests as string[] });
      this.isFailing = false;
      return found;
    } catch (error) {
      const { crawlId, collectionId } = this.crawl;
      const said = { event: 'originals_not_found_out', crawlId, collectionId, error: String(error) };
      if (!this.isFailing) this.logger.warn(said);
      this.isFailing = true;
      return [];
    }
  }
}
