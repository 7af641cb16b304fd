import { readFile, stat } from 'node:fs/promises';
import net from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import mongoose from 'mongoose';
import { kill } from '../../src/drivers/local/processes.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { nothingLeft, Product, processesOf, temporaryDataDir } from '../support/product.js';

/** The REST API as the administrator; throws on anything but success. */
class Administrator {
  private constructor(
    private readonly url: string,
    private readonly token: string,
    readonly oid: string,
  ) {}

  static async login(url: string, password: string): Promise<Administrator> {
    const body = new URLSearchParams({ grant_type: 'password', username: 'admin@example.com', password });
    const response = await fetch(`${url}/api/auth/jwt/login`, { method: 'POST', body });
    if (!response.ok) throw new Error(`login: ${response.status} ${await response.text()}`);
    const { access_token: token } = (await response.json()) as { access_token: string };
    const { items } = await new Administrator(url, token, '').call<{ items: { id: string }[] }>('GET', '/api/orgs');
    return new Administrator(url, token, items[0]?.id ?? '');
  }

  async call<T>(method: string, route: string, body?: object): Promise<T> {
    const response = await fetch(this.url + route, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    });
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  /** Stores one workflow; the id counts as acknowledged once this resolves. */
  async createWorkflow(name: string): Promise<string> {
    const config = { seeds: [{ url: 'https://example.com/' }], scopeType: 'page' };
    const { id } = await this.call<{ id: string }>('POST', `/api/orgs/${this.oid}/crawlconfigs/`, { name, config });
    return id;
  }

  async workflowIds(): Promise<string[]> {
    const route = `/api/orgs/${this.oid}/crawlconfigs?pageSize=1000`;
    const { items } = await this.call<{ items: { id: string }[] }>('GET', route);
    return items.map(({ id }) => id);
  }
}

let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let port: number;
let args: string[];
let product: Product | null = null;

const firstPassword = async (): Promise<string> => {
  const secrets = JSON.parse(await readFile(path.join(data.dir, 'secrets.json'), 'utf8')) as Record<string, string>;
  return secrets.superuserPassword ?? '';
};
const start = async (): Promise<Product> => (product = await Product.start(data.dir, args));
const login = async (): Promise<Administrator> =>
  Administrator.login(`http://127.0.0.1:${port}`, await firstPassword());

/** Stores workflows until a call fails; returns those that were acknowledged. */
async function writeUntilFailure(admin: Administrator): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let i = 0; i < 10_000; i += 1) {
    try {
      acknowledged.push(await admin.createWorkflow(`written ${i}`));
    } catch {
      return acknowledged;
    }
  }
  return acknowledged;
}

async function expectStored(acknowledged: readonly string[]): Promise<void> {
  const stored = new Set(await (await login()).workflowIds());
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
}

beforeEach(async () => {
  data = await temporaryDataDir();
  port = await freePort();
  args = ['--port', String(port)];
});

afterEach(async () => {
  if (product?.isRunning) await product.interrupt();
  product = null;
  for (const line of await processesOf(data.dir)) kill(Number.parseInt(line, 10), 'SIGKILL');
  await data.remove();
});

describe('npm run up', () => {
  it('tells where it is, where its data is and how to log in, and the password works', async () => {
    const { output } = await start();
    expect(output).toContain(`Muniment is running at http://127.0.0.1:${port}`);
    expect(output).toContain(data.dir);
    expect(output).toContain('admin@example.com');
    const password = /password +(\S+)/.exec(output)?.[1] ?? '';
    const begin = new URL(/begin +(\S+)/.exec(output)?.[1] ?? '');
    expect([begin.pathname, new URLSearchParams(begin.hash.slice(1)).get('password')]).toEqual(['/setup', password]);
    await Administrator.login(`http://127.0.0.1:${port}`, password);
  });

  it('shows the password on the first start only', async () => {
    const first = await start();
    const password = await firstPassword();
    expect(first.output).toContain(password);
    await first.interrupt();
    const second = await start();
    expect(second.output).not.toContain(password);
    await login();
  });

  it('keeps a changed password when it is started again', async () => {
    const first = await start();
    const admin = await login();
    await admin.call('PUT', '/api/users/me/password-change', {
      email: 'admin@example.com',
      password: await firstPassword(),
      newPassword: 'changed-by-the-user',
    });
    await first.interrupt();
    await start();
    await Administrator.login(`http://127.0.0.1:${port}`, 'changed-by-the-user');
  });

  it('keeps its data from other users of the machine', async () => {
    const { mongod } = await (await start()).processes();
    for (const file of ['.', 'db', 'logs', 'secrets.json', 'mongod.key']) {
      // The crawler's user may pass through the folder on its way to the crawl's own one; nobody may read or write.
      expect([file, (await stat(path.join(data.dir, file))).mode & 0o067]).toEqual([file, 0]);
    }
    const line = (await readFile(`/proc/${mongod}/cmdline`, 'utf8')).split('\0');
    expect(line[line.indexOf('--bind_ip') + 1]).toBe('127.0.0.1');
    const stranger = await mongoose
      .createConnection(`mongodb://127.0.0.1:${line[line.indexOf('--port') + 1]}/?directConnection=true`)
      .asPromise();
    try {
      await expect(stranger.db?.admin().listDatabases()).rejects.toThrow(/auth/i);
    } finally {
      await stranger.close();
    }
  });

  it('leaves nothing running after Ctrl-C', async () => {
    const running = await start();
    expect((await processesOf(data.dir)).length).toBeGreaterThanOrEqual(3);
    expect(await running.interrupt()).toBe(0);
    await nothingLeft(data.dir);
  });

  it('leaves nothing running after SIGTERM to the starter alone', async () => {
    const running = await start();
    running.child.kill('SIGTERM');
    expect(await running.exit()).toBe(0);
    await nothingLeft(data.dir);
  });

  it('leaves nothing running when Ctrl-C comes while it is starting', async () => {
    product = Product.launch(data.dir, args);
    await eventually(async () => expect((await processesOf(data.dir)).join()).toContain('mongod'), 120_000);
    await product.interrupt();
    await nothingLeft(data.dir);
  });

  it('leaves nothing running after Ctrl-C when it was started through npm', async () => {
    product = Product.launchByNpm(data.dir, args);
    await product.ready();
    await product.interrupt();
    await nothingLeft(data.dir);
  });

  it('refuses a second start on the same data, and tells where the first one is', async () => {
    await start();
    const second = Product.launch(data.dir, ['--port', String(await freePort())]);
    expect(await second.exit()).toBe(1);
    expect(second.output).toContain(`already running on ${data.dir} at http://127.0.0.1:${port}`);
    await login();
  });

  it('says so when the port is taken, and leaves nothing', async () => {
    const other = net.createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const refused = Product.launch(data.dir, args);
    expect(await refused.exit()).toBe(1);
    expect(refused.output).toContain(`Port ${port} is taken`);
    other.close();
    await nothingLeft(data.dir);
  });

  it('names the setting that is wrong, and leaves nothing', async () => {
    const refused = Product.launch(data.dir, args, { JWT_TOKEN_LIFETIME_MINUTES: 'soon' });
    expect(await refused.exit()).toBe(1);
    expect(refused.output).toContain('JWT_TOKEN_LIFETIME_MINUTES');
    await nothingLeft(data.dir);
  });

  it('explains itself with --help and refuses what it does not know', async () => {
    const help = Product.launch(data.dir, ['--help']);
    expect(await help.exit()).toBe(0);
    expect(help.output).toContain('--crawl URL');
    const wrong = Product.launch(data.dir, ['--prot', '1']);
    expect(await wrong.exit()).toBe(2);
    expect(wrong.output).toContain("Unknown option '--prot'");
  });

  it('notices that the API was killed, starts it again, and nothing acknowledged is lost', async () => {
    const running = await start();
    const { api } = await running.processes();
    const writing = writeUntilFailure(await login());
    await eventually(async () => expect((await (await login()).workflowIds()).length).toBeGreaterThan(3));
    process.kill(api, 'SIGKILL');
    const acknowledged = await writing;
    await running.prints(/The service is back/);
    await expectStored(acknowledged);
    expect((await running.processes()).api).not.toBe(api);
  });

  it('notices that mongod was killed, starts it again, and nothing acknowledged is lost', async () => {
    const running = await start();
    const { mongod } = await running.processes();
    const admin = await login();
    const acknowledged = [await admin.createWorkflow('before')];
    process.kill(mongod, 'SIGKILL');
    await running.prints(/The database is back/);
    const after = await eventually(() => admin.createWorkflow('after'));
    await expectStored([...acknowledged, after]);
    expect((await running.processes()).mongod).not.toBe(mongod);
  });

  it('starts again after it was killed itself, and nothing acknowledged is lost', async () => {
    const killed = await start();
    const { api, mongod } = await killed.processes();
    const writing = writeUntilFailure(await login());
    await eventually(async () => expect((await (await login()).workflowIds()).length).toBeGreaterThan(3));
    killed.child.kill('SIGKILL');
    await killed.exit();
    const acknowledged = await writing;
    const running = await start();
    await expectStored(acknowledged);
    const now = await running.processes();
    expect([now.api, now.mongod]).not.toEqual(expect.arrayContaining([api, mongod]));
    expect(await running.interrupt()).toBe(0);
    await nothingLeft(data.dir);
  });

  it('starts again after everything was killed at once', async () => {
    const killed = await start();
    const { api, mongod } = await killed.processes();
    const acknowledged = [await (await login()).createWorkflow('kept')];
    for (const pid of [killed.child.pid, api, mongod]) process.kill(pid ?? 0, 'SIGKILL');
    await killed.exit();
    await start();
    await expectStored(acknowledged);
  });
});
