import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startLoginSite } from '../support/login-site.js';
import { REAL_API, REAL_CRAWLER } from '../support/real-docker.js';

const run = promisify(execFile);
const GIGABYTE = 1000 ** 3;
const BOUND_MS = 120_000;
const SECRETS = ['PASSWORD_SECRET', 'URL_SIGNING_KEY', 'SUPERUSER_PASSWORD'].map((name) => `${name}=${'x'.repeat(32)}`);

async function docker(...args: string[]): Promise<string> {
  const env = { ...process.env, DOCKER_HOST: process.env['MUNIMENT_TEST_DOCKER'] };
  return (await run('docker', args, { env })).stdout.trim();
}

/** A crawl by the local driver, in the API's own container. */
async function crawlsOnePage(api: string): Promise<void> {
  const site = await startLoginSite();
  try {
    const form = new URLSearchParams({ username: 'admin@example.org', password: 'x'.repeat(32) });
    const login = await fetch(`${api}/auth/jwt/login`, { method: 'POST', body: form });
    const { access_token: token } = (await login.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const call = async <T>(path: string, json?: object): Promise<T> => {
      const body = json ? { method: 'POST', body: JSON.stringify(json) } : {};
      return (await (await fetch(`${api}${path}`, { headers, ...body })).json()) as T;
    };
    const { items } = await call<{ items: { id: string }[] }>('/orgs?pageSize=5');
    const org = `/orgs/${items[0]?.id ?? ''}`;
    const { run_now_job: id } = await call<{ run_now_job: string }>(`${org}/crawlconfigs/`, {
      name: 'One page',
      runNow: true,
      config: { seeds: [{ url: site.url }], scopeType: 'page', behaviors: '' },
    });
    await eventually(
      async () => expect(await call(`${org}/crawls/${id}`)).toMatchObject({ state: 'complete', stats: { done: 1 } }),
      BOUND_MS,
    );
  } finally {
    site.server.closeAllConnections();
    site.server.close();
  }
}

describe('the images of the Dockerfile', () => {
  jest.setTimeout(BOUND_MS * 2);

  it.each([
    [REAL_API, 1.1],
    [REAL_CRAWLER, 1.0],
  ])('%s has at most %s GB, and a user without privileges', async (image, most) => {
    const [size, user] = (await docker('image', 'inspect', image, '--format', '{{.Size}} {{.Config.User}}')).split(' ');
    expect(Number(size) / GIGABYTE).toBeLessThan(most);
    expect(user).not.toMatch(/^(0|root)?$/);
    expect(await docker('run', '--rm', '--entrypoint', 'id', image, '-u')).toMatch(/^[1-9]\d+$/);
  });

  it('say how they are used with a root file system that is read only', async () => {
    const said = await docker('run', '--rm', '--read-only', '--cap-drop', 'ALL', REAL_CRAWLER, 'crawl', '--help');
    expect(said).toContain('CRAWL_ALLOWED_ADDRESSES');
  });

  it.each([REAL_API, REAL_CRAWLER])('%s starts its browser, whose pages have text in all scripts', async (image) => {
    const program = `
      const { chromium } = await import('playwright-core');
      const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH, args: ['--no-sandbox'] });
      const page = await browser.newPage();
      const widths = [];
      for (const text of ['Muniment', '漢字かな', '한국어', 'العربية', 'हिन्दी', '😀']) {
        await page.setContent('<span id=t style="font: 40px serif">' + text + '</span>');
        widths.push(await page.evaluate(() => document.getElementById('t').getBoundingClientRect().width));
      }
      await page.setContent('<canvas id=c></canvas>');
      const gl = await page.evaluate(() => document.getElementById('c').getContext('webgl') !== null);
      console.log(JSON.stringify({ widths, gl }));
      await browser.close();`;
    const options = ['--read-only', '--tmpfs', '/tmp', '--env', 'HOME=/tmp', '--shm-size', '256m', '--network', 'none'];
    const said = await docker(
      ...['run', '--rm', ...options, '--workdir', '/app', '--entrypoint', 'node', image],
      ...['--input-type=module', '-e', program],
    );
    const { widths, gl } = JSON.parse(said) as { widths: number[]; gl: boolean };
    expect(widths.every((width) => width > 20)).toBe(true);
    expect(gl).toBe(true);
  });

  it('are the service, which is healthy, and crawls, with a root file system that is read only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'images-'));
    const name = 'muniment-image-test';
    try {
      await writeFile(join(folder, 'env'), SECRETS.join('\n'), { mode: 0o600 });
      const mongo = new URL(process.env['MUNIMENT_TEST_MONGO_URL'] ?? '');
      await docker(
        ...['run', '--detach', '--name', name, '--network', 'host', '--read-only', '--tmpfs', '/tmp'],
        ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--env-file', join(folder, 'env')],
        // As docker-compose.yml has it: the browser's own sandbox is made of user namespaces.
        ...['--security-opt', 'seccomp=unconfined', '--shm-size', '1g', '--env', 'ALLOW_PRIVATE_ADDRESSES=crawls'],
        ...['--env', `MONGO_DB_URL=${mongo.href}`, '--env', 'MONGO_DB_NAME=t_image', '--env', 'PORT=18000'],
        ...['--env', 'SUPERUSER_EMAIL=admin@example.org', REAL_API],
      );
      const health = (): Promise<string> => docker('inspect', name, '--format', '{{.State.Health.Status}}');
      await eventually(async () => expect(await health()).toBe('healthy'), BOUND_MS);
      await crawlsOnePage('http://127.0.0.1:18000/api');
      const { StartedAt, Log } = JSON.parse(
        await docker(
          'inspect',
          name,
          '--format',
          '{"StartedAt":"{{.State.StartedAt}}","Log":{{json .State.Health.Log}}}',
        ),
      ) as { StartedAt: string; Log: { Start: string; ExitCode: number }[] };
      const first = Log.find(({ ExitCode }) => ExitCode === 0);
      process.stderr.write(`healthy at the check of ${first?.Start ?? ''}, started at ${StartedAt}\n`);
    } finally {
      await docker('rm', '--force', '--volumes', name).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
