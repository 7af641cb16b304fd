import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crawlConfig, CrawlerChild } from '../../support/crawler-child.js';
import { PlainServer } from '../../support/plain-server.js';

const SCRIPTED_SSH = fileURLToPath(new URL('../../support/scripted-ssh.mjs', import.meta.url));
const CRAWL_MS = 120_000;

describe('a crawl through a proxy that is reached by ssh', () => {
  let site: PlainServer;
  let folder: string;
  let crawler: CrawlerChild | undefined;

  beforeAll(async () => {
    site = await PlainServer.start((_req, res) => {
      res
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>Beyond</title><link rel="icon" href="data:,">');
    });
    folder = await mkdtemp(join(tmpdir(), 'muniment-ssh-'));
    await copyFile(SCRIPTED_SSH, join(folder, 'ssh'));
    await chmod(join(folder, 'ssh'), 0o755);
    await writeFile(join(folder, 'key'), 'the key\n', { mode: 0o600 });
    await writeFile(join(folder, 'hosts'), 'a host\n');
  });
  afterEach(() => crawler?.discard());
  afterAll(async () => {
    await site.close();
    await rm(folder, { recursive: true });
  });

  const crawl = async (host: string, path: string): Promise<CrawlerChild> => {
    const config = crawlConfig(
      { seeds: [{ url: `${site.url}/` }], scopeType: 'page', behaviors: '' },
      {
        windows: 1,
        proxy: {
          url: `ssh://user@${host}:2222`,
          sshPrivateKeyFile: join(folder, 'key'),
          sshKnownHostsFile: join(folder, 'hosts'),
        },
      },
    );
    crawler = await CrawlerChild.start(config, { searchPath: path });
    return crawler;
  };
  const withSsh = (): string => `${folder}:${process.env['PATH'] ?? ''}`;

  it(
    'opens a tunnel with its key, to the host it knows, and sends everything through it',
    async () => {
      const child = await crawl('open.test', withSsh());
      expect(await child.end(CRAWL_MS)).toEqual({ code: 0, reason: 'finished' });
      expect(child.rows).toMatchObject([{ title: 'Beyond', status: 200 }]);
      const called = JSON.parse(await readFile(join(child.config.dir, 'ssh.json'), 'utf8')) as Record<string, any>;
      expect(called).toMatchObject({ key: 'the key\n', mode: 0o600, hosts: 'a host\n' });
      expect(called['args']).toEqual(
        expect.arrayContaining(['-N', 'BatchMode=yes', 'StrictHostKeyChecking=yes', '2222', 'user@open.test']),
      );
      expect(called['connections']).toBeGreaterThan(0);
      expect(site.connections).toBe(called['connections']);
    },
    CRAWL_MS + 30_000,
  );

  it.each([
    ['is refused', () => withSsh(), 'Permission denied (publickey)'],
    ['finds no ssh', () => '/nowhere', 'install openssh-client'],
  ])(
    'that %s says so, and asks nothing of the site',
    async (_why, path, message) => {
      const before = site.connections;
      const child = await crawl('closed.test', path());
      expect(await child.end(CRAWL_MS)).toEqual({ code: 21, reason: 'proxy' });
      expect(child.of('log').map(({ line }) => JSON.stringify(line.details))).toEqual(
        expect.arrayContaining([expect.stringContaining(message)]),
      );
      expect(site.connections).toBe(before);
    },
    CRAWL_MS + 30_000,
  );
});
