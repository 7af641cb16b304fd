import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunProxy } from '../../../src/drivers/crawl-driver.types.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { LocalDriverUnderTest } from '../../support/local-driver.js';
import { PlainServer } from '../../support/plain-server.js';
import { SshServer } from '../../support/ssh-server.js';

const PAGE = '<!doctype html><title>Beyond</title><link rel="icon" href="data:,">';

/** Whoever runs the tests runs the service: as root its crawls have a user of their own, without a name. */
describe('a crawl of the local driver through a real ssh server', () => {
  let t: LocalDriverUnderTest;
  let site: PlainServer;
  let ssh: SshServer | null;

  beforeEach(async () => {
    ssh = await SshServer.start();
    site = await PlainServer.start((_req, res) => res.setHeader('content-type', 'text/html').end(PAGE));
    t = await LocalDriverUnderTest.open(await builtCrawler());
  });
  afterEach(async () => {
    await t.close();
    await site.close();
    await ssh?.stop();
  });

  it('goes through it, with a key that the crawler has not', async () => {
    if (!ssh) return;
    const { url, privateKey: sshPrivateKey, hostKey: sshHostKey } = ssh;
    const proxy: RunProxy = { id: 'nl', url, hasPrivateKey: true, hasHostKey: true, sshPrivateKey, sshHostKey };
    const seeds = [{ url: `${site.url}/` }];
    const spec = t.job('', { config: { seeds, scopeType: 'page', behaviors: '' }, proxy, browserWindows: 1 });
    await t.until(spec, ({ done }) => done >= 1);
    const folder = t.dir(spec);
    for (const name of await readdir(folder, { recursive: true }))
      expect(await readFile(join(folder, name), 'latin1').catch(() => '')).not.toContain(sshPrivateKey.slice(40, 80));
    await t.over(spec, 'done');
    expect(t.errorLines).toEqual([]);
    expect(t.pages).toMatchObject([{ title: 'Beyond', status: 200 }]);
    expect(ssh.forwarded).toBeGreaterThanOrEqual(site.connections);
    expect(site.connections).toBeGreaterThan(0);
  }, 180_000);

  it('is refused by a server that is not the one it knows, and says so', async () => {
    if (!ssh) return;
    const { url, privateKey: sshPrivateKey } = ssh;
    const sshHostKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIN0tTheKeyOfThisServerAtAllxxxxxxxxxxxxxxxxxxx';
    const proxy: RunProxy = { id: 'nl', url, hasPrivateKey: true, hasHostKey: true, sshPrivateKey, sshHostKey };
    const spec = t.job('', { config: { seeds: [{ url: `${site.url}/` }], scopeType: 'page' }, proxy });
    await t.until(spec, () => t.errorLines.length > 0);
    expect(t.errorLines[0]).toContain('The proxy could not be reached');
    expect(t.errorLines[0]).toContain('Host key verification failed');
    expect(t.errorLines[0]).not.toContain(t.dataDir);
    expect(site.connections).toBe(0);
  }, 60_000);
});
