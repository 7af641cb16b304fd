import { stat } from 'node:fs/promises';
import { BrowserDriver } from '../../../src/drivers/browser-driver.js';
import { CrawlDriver } from '../../../src/drivers/crawl-driver.js';
import { aCrawlJobSpec } from '../../support/crawl-job-spec.js';
import { fakeCrawls } from '../../support/fake-crawls.js';
import { startApp } from '../../support/start-app.js';

describe('the drivers of the service', () => {
  it('stores a crawl of the fake driver in the deployment storage', async () => {
    const t = await startApp();
    try {
      const driver = fakeCrawls(t.app);
      const spec = aCrawlJobSpec();
      await driver.ensure(spec, 1, {});
      t.clock.advance(60_000);
      const { events } = await driver.drain(spec.jobId, 100);
      const file = events.find((event) => event.type === 'file');
      expect((await stat(`${t.dataDir}/storage/${file?.filename ?? ''}`)).size).toBe(file?.size);
    } finally {
      await t.close();
    }
  });

  it('frees the data directory when it stops', async () => {
    const t = await startApp({ env: { CRAWL_DRIVER: 'local' }, realTime: true });
    expect(t.app.get(CrawlDriver).kind).toBe('local');
    expect(t.app.get(BrowserDriver).kind).toBe('local');
    await t.stop();
    const again = await startApp({ env: { CRAWL_DRIVER: 'local' }, like: t, realTime: true });
    await again.close();
  });
});
