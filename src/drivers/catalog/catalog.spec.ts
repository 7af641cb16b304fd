import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppConfig } from '../../config/app-config.js';
import { ChannelCatalog, EMBEDDED_CRAWLER_IMAGE } from './channel-catalog.js';
import { isImageAtLeast } from './crawler-image.js';
import { ProxyCatalog, isProxyUsable } from './proxy-catalog.js';

const configOf = (crawls: Record<string, unknown>): AppConfig =>
  ({
    crawls: {
      driver: 'local',
      channelsFile: '',
      imagePullPolicy: 'IfNotPresent',
      proxiesFile: '',
      proxiesUpdateFile: '',
      defaultProxyId: null,
      ...crawls,
    },
  }) as unknown as AppConfig;

describe('isImageAtLeast', () => {
  test.each([
    ['webrecorder/browsertrix-crawler:1.7.0', 'x:1.7.0', true],
    ['webrecorder/browsertrix-crawler:1.10.0', 'x:1.7.0', true],
    ['webrecorder/browsertrix-crawler:1.6.9', 'x:1.7.0', false],
    ['localhost:5000/crawler:0.12.4@sha256:00', 'x:1.1.0', false],
    ['crawler:latest', 'x:1.7.0', true],
    ['crawler', 'x:1.7.0', true],
    ['crawler:1.0.0', '', true],
  ])('%s against %s is %s', (image, minimum, expected) => {
    expect(isImageAtLeast(image, minimum)).toBe(expected);
  });
});

describe('files of the deployment', () => {
  let dir: string;
  const put = async (name: string, value: unknown): Promise<string> => {
    const file = join(dir, name);
    await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
    return file;
  };
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'catalog-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('has one channel with the embedded crawler when none are configured', async () => {
    const channels = await ChannelCatalog.load(configOf({}));
    expect(channels.list).toEqual([{ id: 'default', image: EMBEDDED_CRAWLER_IMAGE, imagePullPolicy: null }]);
  });

  it('falls back to the default channel when a stored one was removed', async () => {
    const channelsFile = await put('channels.json', [
      { id: 'default', image: 'a:1' },
      { id: 'beta', image: 'b:2', imagePullPolicy: 'Always' },
    ]);
    const channels = await ChannelCatalog.load(configOf({ channelsFile }));
    expect(channels.resolve('beta')).toEqual({ id: 'beta', image: 'b:2', imagePullPolicy: 'Always' });
    expect(channels.resolve('gone')).toEqual({ id: 'default', image: 'a:1', imagePullPolicy: 'IfNotPresent' });
    expect(channels.find('gone')).toBeNull();
  });

  it.each([[[{ id: 'beta', image: 'b:2' }]], [{ id: 'default' }], [[{ id: 'default' }]]])(
    'refuses to start with the channels %j',
    async (value) => {
      const channelsFile = await put('channels.json', value);
      await expect(ChannelCatalog.load(configOf({ channelsFile }))).rejects.toThrow('CRAWLER_CHANNELS_JSON');
    },
  );

  it('reads the proxies again only when the update number changes', async () => {
    const proxiesFile = await put('proxies.json', [{ id: 'a', url: 'socks5://u:p@proxy:1080', label: 'A' }]);
    const proxiesUpdateFile = await put('update', '1');
    const proxies = await ProxyCatalog.load(configOf({ proxiesFile, proxiesUpdateFile }));
    await put('proxies.json', [{ id: 'b', url: 'http://proxy:3128', shared: true }]);
    expect((await proxies.list()).map(({ id }) => id)).toEqual(['a']);
    await put('update', '2');
    expect((await proxies.list()).map(({ id, label }) => [id, label])).toEqual([['b', 'b']]);
    await rm(proxiesUpdateFile);
    expect(await proxies.list()).toEqual([]);
  });

  it('keeps the last good list while the file is broken', async () => {
    const proxiesFile = await put('proxies.json', [{ id: 'a', url: 'http://proxy:1' }]);
    const proxiesUpdateFile = await put('update', '1');
    const proxies = await ProxyCatalog.load(configOf({ proxiesFile, proxiesUpdateFile }));
    await put('proxies.json', '[{');
    await put('update', '2');
    expect((await proxies.list()).map(({ id }) => id)).toEqual(['a']);
  });

  it('refuses to start with a default proxy that is not in the list', async () => {
    const proxiesFile = await put('proxies.json', [{ id: 'a', url: 'http://proxy:1' }]);
    const proxiesUpdateFile = await put('update', '1');
    const config = configOf({ proxiesFile, proxiesUpdateFile, defaultProxyId: 'b' });
    await expect(ProxyCatalog.load(config)).rejects.toThrow('DEFAULT_PROXY_ID');
  });

  it('shares the default proxy with every org that allows shared ones', async () => {
    const proxiesFile = await put('proxies.json', [{ id: 'a', url: 'http://proxy:1' }]);
    const proxiesUpdateFile = await put('update', '1');
    const proxies = await ProxyCatalog.load(configOf({ proxiesFile, proxiesUpdateFile, defaultProxyId: 'a' }));
    expect(await proxies.findUsable('a', { allowSharedProxies: true })).toMatchObject({ id: 'a', shared: true });
    expect(await proxies.findUsable('a', { allowSharedProxies: false })).toBeNull();
    expect(await proxies.findUsable('a', { allowedProxies: ['a'] })).toMatchObject({ id: 'a' });
  });
});

test('a proxy that is not shared is for the orgs that name it', () => {
  const proxy = { id: 'x', shared: false } as Parameters<typeof isProxyUsable>[0];
  expect(isProxyUsable(proxy, { allowSharedProxies: true })).toBe(false);
  expect(isProxyUsable(proxy, { allowSharedProxies: null, allowedProxies: ['x'] })).toBe(true);
});
