import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { workflowsOf } from './support.js';

const PATH = process.env['PATH'] ?? '';

describe('the git program that looks for custom behaviors', () => {
  let dir: string;
  let app: AppUnderTest | undefined;

  beforeEach(async () => (dir = await mkdtemp(join(tmpdir(), 'git-remote-'))));
  afterEach(async () => {
    await app?.close();
    await rm(dir, { recursive: true, force: true });
  });

  async function check(env: Record<string, string>): Promise<[number, unknown]> {
    app = await startApp({ env: { ALLOW_PRIVATE_ADDRESSES: 'crawls', ...env } });
    const w = await workflowsOf(app);
    const customBehavior = 'git+https://git.example/repo';
    const { status, body } = await w.admin.post(`${w.base}/validate/custom-behavior`, { customBehavior });
    return [status, body];
  }

  /** Installs a git that writes down its environment. It may run as another user. */
  async function fakeGit(): Promise<() => Promise<string[]>> {
    await chmod(dir, 0o755);
    await mkdir(join(dir, 'out'));
    await chmod(join(dir, 'out'), 0o777);
    await writeFile(join(dir, 'git'), `#!/bin/sh\nenv > "${join(dir, 'out', 'env')}"\n`, { mode: 0o755 });
    return async () => (await readFile(join(dir, 'out', 'env'), 'utf8')).split('\n');
  }

  it('is found on the PATH of the service, and told its way out and whom to trust, and no more', async () => {
    const seen = await fakeGit();
    const told = {
      PATH: `${dir}:${PATH}`,
      HTTPS_PROXY: 'http://proxy.example:3128',
      NO_PROXY: 'intern.example',
      GIT_SSL_CAINFO: '/etc/ssl/own.pem',
    };
    const answer = await check({ ...told, PASSWORD_SECRET: 'a secret of the service that is long' });
    expect(answer).toEqual([200, { success: true }]);
    const env = await seen();
    expect(env).toEqual(expect.arrayContaining(Object.entries(told).map(([name, value]) => `${name}=${value}`)));
    expect(env).toContain('GIT_TERMINAL_PROMPT=0');
    expect(env.join()).not.toContain('a secret of the service');
  });

  it('trusts what the service trusts by a name that git does not know', async () => {
    const seen = await fakeGit();
    await check({ PATH: `${dir}:${PATH}`, SSL_CERT_FILE: '/etc/ssl/own.pem' });
    expect(await seen()).toContain('GIT_SSL_CAINFO=/etc/ssl/own.pem');
  });

  it('is said to be missing where it is missing', async () => {
    expect(await check({ PATH: dir })).toEqual([503, { detail: 'git_not_installed' }]);
  });
});
