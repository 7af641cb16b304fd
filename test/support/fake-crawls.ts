import type { INestApplication } from '@nestjs/common';
import { CrawlDriver } from '../../src/drivers/crawl-driver.js';
import { FakeCrawlDriver } from '../../src/drivers/fake/fake-crawl-driver.js';

/**
 * The fake crawl driver of an app started with CRAWL_DRIVER=fake:
 * - `script({ pageSeconds, urls, held, crashes, … })` says what crawls started from now on do;
 * - `job(id)` is one of them: `visit`, `emit`, `find`, `rateLimited`, `failReason`, `storeUp`, `pendingBytes`,
 *   `instances.crash / end / evict / setStatus`;
 * - `capacity` limits how many run at once; `lose(id)` forgets one.
 * Crawls move on the app's clock: advance it, then let the supervisor tick.
 */
export function fakeCrawls(app: INestApplication): FakeCrawlDriver {
  const driver = app.get(CrawlDriver, { strict: false });
  if (!(driver instanceof FakeCrawlDriver))
    throw new Error(`the app runs the ${driver.kind} crawl driver, not the fake one`);
  return driver;
}
