import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { FixityJob } from '../../../src/objects/fixity-job.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
import { startReceiver } from '../../support/webhook-receiver.js';

const ROOT = path.join(import.meta.dirname, '../../..');
const BOARD = 'deploy/observability/grafana.json';
const RULES = 'deploy/observability/rules.yml';
const fileOf = (name: string): Promise<string> => readFile(path.join(ROOT, name), 'utf8');
/** Names of metrics in queries of Prometheus. */
const namesIn = (text: string): string[] => [...new Set(text.match(/\b(?:muniment|nodejs|process)_[a-z\d_]+/g))];
const promtool = process.env['MUNIMENT_TEST_PROMTOOL'];

describe('probes and metrics', () => {
  let t: AppUnderTest;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    t = await startApp({ env: { METRICS_PORT: String(port), ALLOW_PRIVATE_ADDRESSES: 'webhooks' } });
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

  const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

  it('counts how crawls, jobs, webhooks and mails ended', async () => {
    const [stage, admin, receiver] = [await CrawlStage.of(t), await t.admin(), await startReceiver()];
    try {
      await stage.setOrg({ quotas: { maxConcurrentCrawls: 0 } as never });
      await admin.post(`/orgs/${stage.oid}/event-webhook-urls`, { crawlFinished: receiver.url });
      await stage.until(await stage.aCrawl(), 'complete');
      await t.app.get(FixityJob, { strict: false }).startForOrg(stage.oid);
      await t.api.post('/auth/forgot-password', { email: ADMIN.email });
      const ended = [
        /^muniment_crawls_ended_total\{state="complete"\} [1-9]/m,
        /^muniment_jobs_ended_total\{type="verify-files",outcome="\w+"\} 1$/m,
        /^muniment_webhook_tries_total\{outcome="delivered"\} [1-9]/m,
        /^muniment_mails_total\{outcome="sent"\} 1$/m,
      ];
      await eventually(async () => {
        const text = await metrics();
        expect(ended.filter((line) => !line.test(text))).toEqual([]);
      });
    } finally {
      await receiver.close();
    }
  });

  it('has every metric that the board, the rules and the document name, and names every one of its own', async () => {
    const text = await metrics();
    const families = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!);
    const isThere = (name: string) => families.includes(name.replace(/_(bucket|count|sum)$/, ''));
    const document = await fileOf('docs/observability.md');
    for (const named of [await fileOf(BOARD), await fileOf(RULES), document].map(namesIn))
      expect(named.filter((name) => !isThere(name))).toEqual([]);
    const own = families.filter((name) => name.startsWith('muniment_'));
    expect(own.filter((name) => !namesIn(document).includes(name))).toEqual([]);
  });

  (promtool ? it : it.skip)('pass the checks of promtool, as the alert rules pass theirs', async () => {
    const run = (...args: string[]) => spawnSync(promtool!, args, { cwd: ROOT, encoding: 'utf8', input: '' });
    const check = spawnSync(promtool!, ['check', 'metrics'], { encoding: 'utf8', input: await metrics() });
    // Two of Node's own metrics do not keep to its naming rules, which it says without failing.
    expect([check.status, check.stderr.split('\n').filter((line) => line.startsWith('muniment'))]).toEqual([
      expect.any(Number),
      [],
    ]);
    expect(run('check', 'rules', RULES)).toMatchObject({ status: 0 });
    expect(run('test', 'rules', RULES.replace('.yml', '.test.yml'))).toMatchObject({ status: 0 });
  });
});
