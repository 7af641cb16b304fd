import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { CrawlJobSpec, JobObservation } from '../../../src/drivers/crawl-driver.types.js';
import { browsersBelow, kill } from '../../../src/drivers/local/processes.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { eventually } from '../../support/eventually.js';
import { LocalDriverUnderTest } from '../../support/local-driver.js';
import { pagesOfWhole } from '../../support/replayed.js';

const PAGES = 20;

/** A front page and the pages it links to, each a little slow. */
async function startSite(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const links = Array.from({ length: PAGES - 1 }, (_, i) => `<a href="/page-${String(i + 1)}">${String(i + 1)}</a>`);
    const body = `<title>${request.url ?? ''}</title><h1>${request.url ?? ''}</h1>${request.url === '/' ? links.join('') : ''}`;
    setTimeout(() => response.setHeader('content-type', 'text/html').end(body), 250);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/` };
}

describe('the local driver with the real crawler', () => {
  let t: LocalDriverUnderTest;
  let site: { server: Server; url: string };
  let spec: CrawlJobSpec;

  beforeEach(async () => {
    t = await LocalDriverUnderTest.open(await builtCrawler());
    site = await startSite();
    spec = t.job('', { config: { seeds: [{ url: site.url }], scopeType: 'prefix', behaviors: '', limit: 0 } });
  });

  afterEach(async () => {
    await t.close();
    site.server.close();
  });

  const middle = ({ done }: JobObservation): boolean => done >= 3;

  /** Each page once, each in a WACZ that independent tools find no fault in and that replays, and no browser left. */
  async function expectWhole(): Promise<void> {
    expect(t.pages.map(({ url }) => url).sort()).toEqual([...new Set(t.pages.map(({ url }) => url))].sort());
    expect(t.pages).toHaveLength(PAGES);
    const listed = await pagesOfWhole(t.files, t.store);
    expect(listed.sort()).toEqual(t.pages.map(({ id }) => id).sort());
    await eventually(async () => expect(await browsersBelow(join(t.dataDir, 'work'))).toEqual([]));
  }

  it('crawls a site, its windows as they are wanted', async () => {
    await t.until(spec, middle);
    const more = { ...spec, browserWindows: 3 };
    await t.over(more, 'done');
    expect(t.files).toHaveLength(1);
    await expectWhole();
  });

  it('loses nothing when the child is killed', async () => {
    await t.until(spec, middle);
    const { child } = JSON.parse(await readFile(join(t.dataDir, 'work', '.driver', `${spec.jobId}.json`), 'utf8')) as {
      child: { pid: number };
    };
    kill(child.pid, 'SIGKILL');
    const crashed = await t.until(spec, ({ instances }) => instances[0]?.phase === 'backoff');
    expect(crashed.instances[0]?.exitCode).toBe(137);
    t.clock.advance(11_000);
    await t.over(spec, 'done');
    await expectWhole();
  });

  it('loses nothing when the browser is killed', async () => {
    await t.until(spec, middle);
    for (const pid of await browsersBelow(join(t.dataDir, 'work'))) kill(pid, 'SIGKILL');
    await eventually(async () => {
      t.clock.advance(10_000);
      await t.over(spec, 'done', 1_000);
    }, 200_000);
    await expectWhole();
  });

  it('goes on after a restart of the service, and after a pause', async () => {
    await t.until(spec, middle);
    await t.driver.close();
    await t.reopen();
    await t.until(spec, ({ done }) => done >= 4);
    await t.driver.pause(spec.jobId);
    await t.over(spec, 'interrupted');
    expect(t.files).toHaveLength(1);
    await t.driver.clearPause(spec.jobId);
    await t.over(spec, 'done');
    expect(t.files).toHaveLength(2);
    await expectWhole();
  });
});
