import { CrawlStage } from '../../support/crawl-stage.js';
import { freePort } from '../../support/free-port.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('probes and metrics', () => {
  let t: AppUnderTest;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    t = await startApp({ env: { METRICS_PORT: String(port) } });
  });
  afterAll(() => t?.close());

  it.each(['/healthz', '/healthz/', '/healthzStartup', '/readyz'])('%s answers without a token', async (path) => {
    const response = await t.api.fetch('GET', path);
    expect([response.status, await response.json()]).toEqual([200, {}]);
  });

  it.each([
    ['POST', '/healthz', 405, 'GET'],
    ['HEAD', '/api/settings', 405, 'GET'],
    ['OPTIONS', '/api/settings', 405, 'GET'],
    ['PUT', '/api/auth/jwt/login', 405, 'POST'],
    ['PUT', '/api/%61uth/jwt/%6Cogin', 405, 'POST'],
  ])('%s %s is %i with Allow: %s', async (method, path, status, allow) => {
    const response = await t.api.fetch(method, path);
    await response.body?.cancel();
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow]);
  });

  it.each(['/api/nothing', '/api//settings', '/api/Settings'])('%s is not found', async (path) => {
    const response = await t.api.fetch('GET', path);
    expect([response.status, await response.json()]).toEqual([404, { detail: 'Not Found' }]);
  });

  it('counts requests by route, crawls by state and what waits', async () => {
    const stage = await CrawlStage.of(t);
    stage.driver.script({ pagesPerSeed: 50, pageSeconds: 5 });
    await stage.until(await stage.aCrawl(), 'running');
    await stage.setOrg({ quotas: { maxConcurrentCrawls: 1 } as never });
    await stage.until(await stage.aCrawl(), 'waiting_org_limit');
    t.clock.advance(90_000);
    await (await t.admin()).get(`/orgs/${stage.oid}/crawls`);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain('muniment_crawls{state="running"} 1');
    expect(text).toContain('muniment_crawls{state="waiting_org_limit"} 1');
    expect(text).toContain('muniment_crawls{state="paused"} 0');
    expect(text).toContain('muniment_browser_windows 2');
    expect(Number(/^muniment_crawl_longest_wait_seconds (\d+)/m.exec(text)?.[1])).toBeGreaterThanOrEqual(90);
    expect(text).toContain('muniment_job_longest_wait_seconds 0');
    expect(text).toMatch(
      /muniment_http_request_seconds_count\{method="GET",route="\/api\/orgs\/:oid\/crawls",status="200"\} 1/,
    );
    expect(text).toContain('muniment_webhooks_undelivered 0');
    expect(text).toContain('muniment_jobs_queued 0');
    expect(text).not.toContain(stage.oid);
  });
});
