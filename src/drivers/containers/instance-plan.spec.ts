import { crawlerSettings, readEnv } from '../../config/load-config.js';
import type { BrowserSpec } from '../browser-driver.js';
import type { CrawlJobSpec } from '../crawl-driver.types.js';
import { browserPlan } from './browser-plan.js';
import { instancePlans } from './instance-plan.js';

const settingsOf = (variables: Record<string, string>) => ({
  redisUrl: 'redis://redis:6379/0',
  crawler: crawlerSettings(readEnv(variables)),
});
const SETTINGS = settingsOf({});

function spec(changes: Partial<CrawlJobSpec> = {}): CrawlJobSpec {
  return {
    jobId: 'manual-1-abc',
    crawlId: 'manual-1-abc',
    kind: 'crawl',
    oid: 'oid',
    cid: 'cid',
    userId: 'user',
    image: 'webrecorder/browsertrix-crawler:1.14.1',
    imagePullPolicy: 'IfNotPresent',
    config: { seeds: [{ url: 'https://site.example/' }] },
    browserWindows: 3,
    windowsPerInstance: 2,
    singlePage: false,
    storage: {
      ref: { name: 'default', custom: false },
      keyPrefix: 'oid/',
      s3: { endpointUrl: 'http://s3:7070/bucket', accessKey: 'a', secretKey: 'b', region: 'eu' },
    },
    storageFilename: '@ts-@hostsuffix.wacz',
    warcPrefix: 'my-org-site',
    ...changes,
  };
}

const browser: BrowserSpec = {
  ...{ browserId: 'prf-0123456789', oid: 'oid', userId: 'user', image: 'crawler:1', imagePullPolicy: 'Always' },
  ...{ url: 'https://site.example/', storage: spec().storage, labels: {} },
};

describe('the container of an instance', () => {
  it('has the windows of its share, and resources for them (crawling §14.2)', () => {
    const [first, second] = instancePlans(spec(), 2, SETTINGS);
    expect(first).toMatchObject({ name: 'crawl-manual-1-abc-0', workers: 2, cpuMillis: 1500, persistent: true });
    expect(second).toMatchObject({ name: 'crawl-manual-1-abc-1', workers: 1, cpuMillis: 900 });
    expect(first?.memoryBytes).toBe((1024 + 768) * 1024 ** 2);
  });

  it('gets the command line in the order of the official image', () => {
    const profile = { key: 'profiles/profile-1.tar.gz', save: true };
    const proxy = { id: 'nl', url: 'ssh://proxy@host', hasPrivateKey: true, hasHostKey: false };
    const [first, second] = instancePlans(spec({ profile, proxy, dedupeIndexUrl: 'redis://d:1/0' }), 2, SETTINGS);
    expect(first?.command).toEqual([
      ...['crawl', '--config', '/tmp/config/crawl-config.json', '--workers', '2'],
      ...['--redisStoreUrl', 'redis://redis:6379/0', '--redisDedupeUrl', 'redis://d:1/0'],
      ...['--profile', '@profiles/profile-1.tar.gz', '--saveProfile'],
      ...['--proxyServer', 'ssh://proxy@host', '--sshProxyPrivateKeyFile', '/tmp/proxies/nl-private-key'],
      ...['--proxyServerConfig', '/tmp/proxies/host-proxies.json'],
    ]);
    expect(second?.command).not.toContain('--saveProfile');
  });

  it('finds the file that its proxy option names', () => {
    const proxy = { id: 'nl', url: 'http://proxy:1', hasPrivateKey: false, hasHostKey: false };
    const file = (changes: Partial<CrawlJobSpec>): string | undefined =>
      instancePlans(spec(changes), 1, SETTINGS)[0]?.files['/tmp/proxies/host-proxies.json'];
    expect(JSON.parse(file({ proxy }) ?? '')).toEqual({ matchHosts: {}, proxies: {} });
    expect(file({})).toBeUndefined();
    expect(file({ proxy, kind: 'qa' })).toBeUndefined();
  });

  it("finds its profile in the org's folder also in a storage of the org's own", () => {
    const profile = { key: 'profiles/profile-1.tar.gz', save: false };
    const storage = { ...spec().storage, ref: { name: 'own', custom: true }, keyPrefix: '' };
    expect(instancePlans(spec({ profile, storage }), 1, SETTINGS)[0]?.command).toContain(
      '@oid/profiles/profile-1.tar.gz',
    );
  });

  it('is told where its files and messages go', () => {
    const env = instancePlans(spec(), 1, SETTINGS)[0]?.env ?? {};
    expect(env).toMatchObject({
      CRAWL_ID: 'manual-1-abc',
      WEBHOOK_URL: 'redis://redis:6379/0/manual-1-abc:crawls-done',
      STORE_PATH: 'oid/',
      STORE_ENDPOINT_URL: 'http://s3:7070/bucket/',
      STORE_ENDPOINT_NO_BUCKET_URL: 'http://s3:7070/',
      WARC_PREFIX: 'my-org-site',
    });
    expect(env['WEBHOOK_URL']?.split('/')).toHaveLength(5);
  });

  it('has the options of the official deployment, changed by the settings of the same names', () => {
    const argsOf = (variables: Record<string, string>): Record<string, string | undefined> =>
      instancePlans(spec(), 1, settingsOf(variables))[0]?.env ?? {};
    expect(argsOf({})['CRAWL_ARGS']).toBe(
      '--sizeLimit 10000000000 --timeLimit 18000 --maxPageLimit 0 --healthCheckPort 6065 --diskUtilization 90' +
        ' --logging stats,behaviors,debug --text to-warc --rateLimitInterruptCount 5 --generateWACZ' +
        ' --collection thecrawl --screencastPort 9037 --logErrorsToRedis --logBehaviorsToRedis --writePagesToRedis' +
        ' --restartsOnError --headless --screenshot view,thumbnail',
    );
    const changed = argsOf({
      CRAWLER_SESSION_SIZE_LIMIT_BYTES: '5000',
      CRAWLER_SESSION_TIME_LIMIT_SECONDS: '60',
      MAX_PAGES_PER_CRAWL: '70000',
      DISK_UTILIZATION_THRESHOLD: '80',
      CRAWLER_LOGGING_OPTS: 'stats',
      CRAWLER_EXTRACT_FULL_TEXT: 'to-pages',
      RATE_LIMIT_THRESHOLD: '9',
      CRAWLER_EXTRA_ARGS: '--dryRun',
    });
    const wanted = [
      '--sizeLimit 5000 --timeLimit 60 --maxPageLimit 70000',
      '--diskUtilization 80 --logging stats --text to-pages --rateLimitInterruptCount 9 ',
    ];
    for (const part of wanted) expect(changed['CRAWL_ARGS']).toContain(part);
    expect(changed['CRAWL_ARGS']).toMatch(/ --dryRun$/);
    expect(changed['QA_ARGS']).toBe(`${changed['CRAWL_ARGS'] ?? ''} --behaviors=siteSpecific`);
  });

  it('has the resources that the settings give', () => {
    const settings = settingsOf({
      CRAWLER_CPU_BASE: '1',
      CRAWLER_MEMORY_BASE: '2Gi',
      CRAWLER_EXTRA_CPU_PER_BROWSER: '500m',
      CRAWLER_EXTRA_MEMORY_PER_BROWSER: '1Gi',
    });
    expect(instancePlans(spec(), 1, settings)[0]).toMatchObject({ cpuMillis: 1500, memoryBytes: 3 * 1024 ** 3 });
    expect(() => settingsOf({ CRAWLER_MEMORY_BASE: 'much' })).toThrow(/CRAWLER_MEMORY_BASE/);
  });

  it('is told of the signer where there is one', () => {
    const signer = { url: 'http://signer:5053/sign', token: 'secret' };
    const env = instancePlans(spec(), 1, { ...SETTINGS, signer })[0]?.env;
    expect(env).toMatchObject({ WACZ_SIGN_URL: signer.url, WACZ_SIGN_TOKEN: signer.token });
    expect(instancePlans(spec(), 1, SETTINGS)[0]?.env).not.toHaveProperty('WACZ_SIGN_URL');
  });

  it.each<[string, (settings: typeof SETTINGS) => Record<string, string> | undefined]>([
    ['a crawl', (settings) => instancePlans(spec(), 1, settings)[0]?.env],
    ['a quality check', (settings) => instancePlans(spec({ kind: 'qa' }), 1, settings)[0]?.env],
    ['a profile browser', ({ crawler }) => browserPlan(browser, { idleSeconds: 60, crawler }).env],
  ])('of %s is told which private addresses it may reach', (_kind, envOf) => {
    const open = { ALLOW_PRIVATE_ADDRESSES: 'webhooks,crawls', CRAWL_ALLOWED_ADDRESSES: '10.1.0.0/16, fd00::1' };
    expect(envOf(settingsOf(open))).toMatchObject({
      ALLOW_PRIVATE_ADDRESSES: 'crawls',
      CRAWL_ALLOWED_ADDRESSES: '10.1.0.0/16,fd00::1',
    });
    const closed = envOf(settingsOf({ ALLOW_PRIVATE_ADDRESSES: 'webhooks' }));
    for (const name of Object.keys(open)) expect(closed).not.toHaveProperty(name);
  });

  it('of a quality check reads its sources from a file of its own', () => {
    const resources = [{ name: 'a.wacz', path: 'http://s3/a.wacz' }] as never;
    const [plan] = instancePlans(spec({ kind: 'qa', qaSource: { resources } }), 1, SETTINGS);
    expect(plan?.command.slice(-2)).toEqual(['--qaSource', '/tmp/qa/qa-config.json']);
    expect(JSON.parse(plan?.files['/tmp/qa/qa-config.json'] ?? '')).toEqual({ resources });
  });

  it('cannot be made for a store that is not S3', () => {
    const storage = { ref: { name: 'default', custom: false }, keyPrefix: 'oid/' };
    expect(() => instancePlans(spec({ storage }), 1, SETTINGS)).toThrow(/S3/);
  });
});
