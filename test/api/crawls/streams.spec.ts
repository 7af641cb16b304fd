import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ApiClient } from '../../support/api-client.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { eventually } from '../../support/eventually.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('streams of crawls', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let api: ApiClient;
  const path = (rest = '') => `/orgs/${stage.oid}/crawls${rest}`;

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    api = await on.admin();
  });
  afterAll(() => on.close());

  it('has no table while there are no crawls', async () => {
    expect(await api.get(path('/stats'))).toMatchObject({ status: 404, body: { detail: 'crawls_not_found' } });
  });

  it('sends a finished crawl’s log from its archive, filtered', async () => {
    stage.driver.script({ pagesPerSeed: 10, pageSeconds: 5 });
    const crawlId = await stage.aCrawl({ name: 'Say "hi"' });
    await stage.until(crawlId, 'running');
    const line = (n: number, logLevel: string) =>
      JSON.stringify({
        timestamp: `2020-11-21T08:00:0${n}.000Z`,
        logLevel,
        context: 'general',
        message: `m${n}`,
        details: {},
      });
    stage.driver.run(crawlId)?.emit({ type: 'error', line: line(1, 'error') });
    stage.driver.run(crawlId)?.emit({ type: 'error', line: line(2, 'fatal') });
    expect(await api.get(path(`/${crawlId}/logs`))).toMatchObject({
      status: 400,
      body: { detail: 'crawl_not_finished' },
    });
    await stage.until(crawlId, 'complete');
    const all = await api.fetch('GET', path(`/${crawlId}/logs`));
    expect(all.headers.get('content-disposition')).toBe(`attachment; filename="${crawlId}.log"`);
    const lines = (await all.text())
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { message: string });
    expect(lines.map(({ message }) => message)).toEqual(['m1', 'm2']);
    const fatal = await api.fetch('GET', path(`/${crawlId}/logs`), { query: { logLevel: 'fatal,warn' } });
    expect((await fatal.text()).trim().split('\n')).toHaveLength(1);
    const [head, row] = (await (await api.fetch('GET', path('/stats'))).text()).split('\r\n');
    expect(head).toBe(
      '"id","oid","org","cid","name","state","userid","user","started","finished","duration","pages","filesize","avg_page_time"',
    );
    expect(row).toContain(`"${crawlId}","${stage.oid}"`);
    expect(row).toContain('"""Say ""hi""""","complete"');
  });

  describe('the live view', () => {
    const socket = (crawlId: string, instance: number, token: string | null = api.token): WebSocket =>
      new WebSocket(
        `${on.baseUrl.replace('http', 'ws')}/watch/${stage.oid}/${crawlId}/${instance}/ws?auth_bearer=${token ?? ''}`,
      );
    const refusal = async (viewer: WebSocket): Promise<number> => {
      const [, response] = (await once(viewer, 'unexpected-response')) as [unknown, { statusCode: number }];
      viewer.on('error', () => undefined);
      viewer.terminate();
      return response.statusCode;
    };

    it('shows several viewers the frames of an instance', async () => {
      stage.driver.script({ pagesPerSeed: 50, pageSeconds: 5 });
      const crawlId = await stage.aCrawl({ browserWindows: 3 });
      await stage.until(crawlId, 'running');
      await stage.pass(20);
      const viewers = [socket(crawlId, 0), socket(crawlId, 1)];
      const first = await Promise.all(viewers.map(async (viewer) => String((await once(viewer, 'message'))[0])));
      expect(first.map((text) => JSON.parse(text) as object)).toMatchObject([
        { msg: 'init', width: 640, browsers: 2 },
        { msg: 'init', width: 640, browsers: 1 },
      ]);
      for (const viewer of viewers) viewer.close();
      expect(await refusal(socket(crawlId, 7))).toBe(404);
      expect(await refusal(socket(crawlId, 0, 'no-token'))).toBe(401);
      await api.post(path(`/${crawlId}/cancel`));
      await stage.until(crawlId, 'canceled');
      expect(await refusal(socket(crawlId, 0))).toBe(404);
    });

    it('is held open while a crawl starts, and shows it as soon as it runs, to its end', async () => {
      stage.driver.script({ pagesPerSeed: 50, pageSeconds: 5 });
      const crawlId = await stage.aCrawl();
      expect(await stage.state(crawlId)).toBe('starting');
      const viewer = socket(crawlId, 0);
      const messages: { msg: string }[] = [];
      viewer.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as { msg: string }));
      const closed = once(viewer, 'close');
      await once(viewer, 'open');
      expect(await refusal(socket(crawlId, 1))).toBe(404);
      await stage.until(crawlId, 'running');
      await eventually(() => expect(messages[0]?.msg).toBe('init'));
      await api.post(path(`/${crawlId}/cancel`));
      await stage.until(crawlId, 'canceled');
      expect((await closed)[0]).toBe(1000);
    });

    it('of a crawl that is canceled before it ran is over then', async () => {
      const crawlId = await stage.aCrawl();
      const viewer = socket(crawlId, 0);
      const closed = once(viewer, 'close');
      await once(viewer, 'open');
      await api.post(path(`/${crawlId}/cancel`));
      await stage.until(crawlId, 'canceled');
      expect((await closed)[0]).toBe(1000);
    });
  });
});
