import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from './load-config.js';

describe('settings of crawls', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'load-config-'));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const crawls = (variables: Record<string, string>) => loadConfig({ DATA_DIR: dataDir, ...variables }).crawls;

  it.each([
    [{}, 8],
    [{ NUM_BROWSERS: '3' }, 8],
    [{ MAX_CRAWL_SCALE: '3' }, 6],
    [{ MAX_CRAWL_SCALE: '3', NUM_BROWSERS: '4' }, 12],
    [{ MAX_CRAWL_SCALE: '3', MAX_BROWSER_WINDOWS: '5' }, 5],
  ])('%j allow %i windows', (variables, windows) => {
    expect(crawls(variables).maxBrowserWindows).toBe(windows);
  });

  it('look again soon, unless that is switched off', () => {
    expect(crawls({}).fastRetrySeconds).toBe(3);
    expect(crawls({ FAST_RETRY_SECS: '5' }).fastRetrySeconds).toBe(5);
    expect(crawls({ FAST_RETRY_SECS: '0', OPERATOR_RESYNC_SECONDS: '10' }).fastRetrySeconds).toBe(10);
  });

  it('name pods by their namespace, unless the cluster names them otherwise', () => {
    expect(crawls({}).kubernetes.fqdnSuffix).toBe('.crawlers.svc.cluster.local');
    expect(crawls({ CRAWLER_NAMESPACE: 'web' }).kubernetes.fqdnSuffix).toBe('.web.svc.cluster.local');
    const suffix = '.web.svc.archive.example';
    expect(crawls({ CRAWLER_FQDN_SUFFIX: suffix }).kubernetes.fqdnSuffix).toBe(suffix);
  });

  it('are refused when they are no amounts', () => {
    expect(() => crawls({ CRAWLER_CPU_BASE: '1Gi' })).toThrow('CRAWLER_CPU_BASE');
    expect(() => crawls({ CRAWLER_EXTRA_MEMORY_PER_BROWSER: '0' })).toThrow('CRAWLER_EXTRA_MEMORY_PER_BROWSER');
  });
});

describe('the address of the first administrator', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'load-config-'));
  });
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  const addressOf = (email: string) =>
    loadConfig({ DATA_DIR: dataDir, SUPERUSER_EMAIL: email }).accounts.superuserEmail;

  it('is kept in the form in which accounts are looked up', () => {
    expect(addressOf(' Admin <Root@Example.ORG> ')).toBe('root@example.org');
    expect(addressOf('')).toBe('admin@example.com');
  });

  it.each(['root', 'root@localhost', 'a b@example.org'])('%j is refused at the start', (email) => {
    expect(() => addressOf(email)).toThrow(`SUPERUSER_EMAIL=${JSON.stringify(email)}`);
  });
});
