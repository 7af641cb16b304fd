import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { encodedHosts, OTHERS, ownHosts, TWO_FACED, UNREACHABLE } from '../support/address-spellings.js';
import { sayFigures } from '../support/sweep-size.js';

/** One address, asked for in one way: requests that reached the canary with the guard, and with everything opened. */
interface Row {
  spelled: string;
  way: 'client' | 'proxy GET' | 'proxy CONNECT';
  guarded: number;
  open: number;
}

const PROGRAM = fileURLToPath(new URL('./ssrf-sweep.mjs', import.meta.url));
const PUBLIC = ['8.8.8.8', '0x08080808', '1.1.1.1', '[2606:4700::1111]', '[::ffff:8.8.8.8]'];
const NAMESPACE = `muniment-sweep-${String(process.pid)}`;

/**
 * A network in which every address is this machine's, so that what the guard lets pass arrives at the canary whatever
 * address it has. Null where this user, or this kernel, cannot make one.
 */
function ownNetwork(): string[] | null {
  if (process.getuid?.() !== 0 || spawnSync('ip', ['netns', 'add', NAMESPACE]).status !== 0) return null;
  const inside = ['netns', 'exec', NAMESPACE];
  try {
    execFileSync('ip', [...inside, 'ip', 'link', 'set', 'lo', 'up'], { stdio: 'pipe' });
    execFileSync('ip', [...inside, 'ip', 'route', 'add', 'local', 'default', 'dev', 'lo'], { stdio: 'pipe' });
    execFileSync('ip', [...inside, 'ip', '-6', 'route', 'add', 'local', 'default', 'dev', 'lo'], { stdio: 'pipe' });
    return ['ip', ...inside];
  } catch {
    removeNetwork();
    return null;
  }
}

function removeNetwork(): void {
  spawnSync('ip', ['netns', 'delete', NAMESPACE]);
}

async function sweep(within: string[], input: { urls: string[]; hosts: string[] }): Promise<Row[]> {
  const [command = '', ...args] = [...within, process.execPath, PROGRAM];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(input));
  return JSON.parse(await text(child.stdout)) as Row[];
}

describe('what users name is fetched from public addresses alone', () => {
  const within = ownNetwork();
  if (!within)
    process.stderr.write('no network namespace: the sweep asks this machine by its loopback addresses alone\n');
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
  const own = ownHosts(within !== null || hasIpv6);
  const hosts = [...own, ...encodedHosts, ...OTHERS, ...UNREACHABLE];
  const twoFaced = TWO_FACED.map((url) => url.replace('{}', '127.0.0.1:{port}'));
  const urlOf = (host: string) => `http://${host}:{port}/`;
  let rows: Row[];

  beforeAll(async () => {
    const publicHosts = within ? PUBLIC : [];
    const urls = [...hosts, ...publicHosts].map(urlOf).concat(twoFaced);
    // Neither a line break nor a tab can be within a request line.
    const asked = [...hosts, ...publicHosts].filter((host) => !/[\t\n]/.test(host));
    rows = await sweep(within ?? [], { urls, hosts: asked });
  });
  afterAll(removeNetwork);

  const of = (spelled: readonly string[]): Row[] => rows.filter((row) => spelled.includes(row.spelled));

  it('in every one of a hundred spellings', () => {
    expect(new Set([...hosts, ...TWO_FACED]).size).toBeGreaterThanOrEqual(98);
    const mayPass = new Set([...PUBLIC, ...PUBLIC.map(urlOf)]);
    const asked = rows.filter(({ spelled }) => !mayPass.has(spelled));
    expect(asked.length).toBeGreaterThan(250);
    const passed = asked.filter(({ guarded }) => guarded > 0);
    const spellings = new Set([...hosts, ...TWO_FACED]).size;
    sayFigures(`${String(passed.length)} of ${String(asked.length)} asks passed, ${String(spellings)} spellings`);
    expect(passed).toEqual([]);
  });

  it('each of which leads to this machine where private addresses are allowed', () => {
    const expected = of([...own.map(urlOf), ...own, ...encodedHosts.map(urlOf)]);
    expect(expected.length).toBeGreaterThan(80);
    expect(expected.filter(({ open }) => open === 0)).toEqual([]);
  });

  if (within) {
    it('as do the private addresses of a network of its own', () => {
      const expected = of([...OTHERS.map(urlOf), ...OTHERS]);
      expect(expected).toHaveLength(3 * OTHERS.length);
      expect(expected.filter(({ open }) => open === 0)).toEqual([]);
    });

    it('and the public ones, which the guard lets pass', () => {
      const expected = of([...PUBLIC.map(urlOf), ...PUBLIC]);
      expect(expected).toHaveLength(3 * PUBLIC.length);
      expect(expected.filter(({ guarded, open }) => guarded === 0 || open === 0)).toEqual([]);
    });
  }
});
