import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AddressPolicy } from '../../formats/address/address-policy.js';
import { DirectDialer } from '../../crawler/guard/dialer.js';
import { GuardProxy } from '../../crawler/guard/guard-proxy.js';
import { PlainFetcher } from '../../crawler/crawl/plain-fetch.js';
import { loadCustomBehaviors } from '../../crawler/page/custom-behaviors.js';
import { gitFile, gitLink, GitServer, type GitEntry } from '../support/git-server.js';
import { PlainServer } from '../support/plain-server.js';

const SECRET = 'the-signing-key-of-all-sessions';
const behavior = (id: string): string =>
  `class ${id} { static get id() { return '${id}'; } static isMatch() { return true; } static init() { return {}; } async* run() {} }`;

/** What a crawl takes for behaviors, against real repositories and servers: all of them may be hostile. */
describe('custom behaviors of a crawl', () => {
  let dataDir: string;
  let workDir: string;
  let guard: GuardProxy;
  let proxyUrl: string;
  let fetcher: PlainFetcher;
  const servers: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muniment-behaviors-'));
    workDir = join(dataDir, 'work', 'job');
    await mkdir(join(dataDir, 'elsewhere'), { recursive: true });
    await mkdir(workDir, { recursive: true });
    // A behavior by its form, so that nothing but where it lies keeps it out.
    await writeFile(join(dataDir, 'secrets.js'), `${behavior('Secret')} // ${SECRET}`);
    await writeFile(join(dataDir, 'elsewhere', 'inner.js'), `${behavior('Inner')} // ${SECRET}`);
    guard = new GuardProxy(new DirectDialer(new AddressPolicy(true)));
    proxyUrl = await guard.start();
    fetcher = new PlainFetcher(proxyUrl, 'Archivist/7');
  });
  afterEach(async () => {
    await fetcher.close();
    await guard.close();
    for (const server of servers.splice(0)) await server.close();
    await rm(dataDir, { recursive: true });
  });

  async function load(...list: string[]): Promise<{ ids: string[]; text: string; errors: string[] }> {
    const errors: string[] = [];
    const found = await loadCustomBehaviors(list, {
      workDir,
      proxyUrl,
      programs: { PATH: process.env['PATH'] ?? '' },
      fetchText: (url, most) => fetcher.text(url, most),
      onError: (source, message) => errors.push(`${source}: ${message}`),
    });
    const ids = found.map(({ code }) => /class (\w+)/.exec(code)?.[1] ?? '');
    return { ids, text: JSON.stringify(found), errors };
  }

  async function repository(...entries: GitEntry[]): Promise<string> {
    const server = await GitServer.start(entries);
    servers.push(server);
    return `git+${server.url}`;
  }

  it('are the scripts of a folder of a repository, by name', async () => {
    const source = await repository(
      gitFile('top.js', behavior('Top')),
      gitFile('in/b.js', `export default ${behavior('B')};`),
      gitFile('in/a.js', `// mine\n${behavior('A')}`),
      gitFile('in/readme.md', '# Behaviors'),
    );
    expect(await load(`${source}?branch=main&path=in`, source)).toMatchObject({ ids: ['A', 'B', 'Top'], errors: [] });
  });

  it.each<[string, (up: string) => GitEntry[], string]>([
    ['a link to a file', () => [gitLink('in/a.js', '../../../../secrets.js')], 'in'],
    ['an absolute link', (dir) => [gitLink('in/a.js', join(dir, 'secrets.js'))], 'in'],
    ['a link to a folder in the path', () => [gitLink('in', '../../../elsewhere')], 'in'],
    ['a link to a folder, and more of a path', (dir) => [gitLink('in', dir)], 'in/elsewhere'],
    [
      'a link that the repository has beside it',
      () => [gitFile('b.txt', SECRET), gitLink('in/a.js', '../b.txt')],
      'in',
    ],
    ['a submodule', () => [{ mode: '160000', path: 'in/a.js', content: '1'.repeat(40) }], 'in'],
  ])('are not read through %s', async (_what, entries, path) => {
    const source = await repository(...entries(dataDir), gitFile('in2/z.js', behavior('Z')));
    const { ids, text, errors } = await load(`${source}?path=${path}`);
    expect(text).not.toContain(SECRET);
    expect(ids).toEqual([]);
    expect(errors.join()).not.toContain(dataDir);
  });

  it.each(['../../..', '..', '/etc', '.git', 'in/../../..'])('are not read from %s', async (path) => {
    const source = await repository(gitFile('in/a.js', behavior('A')));
    const { ids, errors } = await load(`${source}?path=${encodeURIComponent(path)}`);
    expect(ids).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors.join()).not.toContain(dataDir);
  });

  it('leave nothing of a repository in the working directory, nor follow what lies in their way there', async () => {
    await symlink(join(dataDir, 'elsewhere'), join(workDir, 'behaviors-0'));
    const source = await repository(gitFile('a.js', behavior('A')));
    expect((await load(source)).ids).toEqual(['A']);
    expect(await readdir(workDir)).toEqual(['behaviors-0']);
    expect(await readdir(join(dataDir, 'elsewhere'))).toEqual(['inner.js']);
  });

  it.each(['file:///', 'ext::sh -c id', 'ssh://git@127.0.0.1/x', 'git://127.0.0.1/x'])(
    'are not fetched by %s',
    async (scheme) => {
      const { ids, errors } = await load(`git+${scheme}${scheme === 'file:///' ? dataDir : ''}`);
      expect(ids).toEqual([]);
      expect(errors).toEqual([expect.stringContaining('http')]);
    },
  );

  it.each<[string, string]>([
    ['JSON', `{"key": "${SECRET}"}`],
    ['a word', 'word'],
    ['statements', `fetch('/x'); ${behavior('A')}`],
    ['a class that is no behavior', 'class A {}'],
    ['more than a class', `${behavior('A')}, steal()`],
    ['text', `-----BEGIN KEY-----\n${SECRET}\n`],
    ['more than is read', `${behavior('A')} // ${'x'.repeat(5_000_000)}`],
  ])('that are %s are refused, without a word of theirs', async (_what, content) => {
    const site = await PlainServer.start((_req, res) => res.end(content));
    servers.push(site);
    const source = await repository(gitFile('a.js', content), gitFile('b.js', behavior('B')));
    const { ids, text, errors } = await load(`${site.url}/a.js`, source);
    expect(ids).toEqual(['B']);
    expect(errors).toEqual([expect.stringContaining('/a.js: '), expect.stringContaining('a.js: ')]);
    expect(text + errors.join()).not.toContain(SECRET);
  });

  it('are bounded together: those beyond it are reported, and what still fits is taken', async () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F'];
    const large = Object.fromEntries(
      names.map((name) => [name, `${behavior(name)} // ${'x'.repeat(name === 'F' ? 10 : 4_500_000)}`]),
    );
    const site = await PlainServer.start((req, res) => res.end(large[req.url?.slice(1) ?? '']));
    servers.push(site);
    const source = await repository(gitFile('e.js', large['E']!), gitFile('f.js', large['F']!));
    const { ids, errors } = await load(...names.slice(0, 4).map((name) => `${site.url}/${name}`), source);
    expect(ids).toEqual(['A', 'B', 'C', 'D', 'F']);
    expect(errors).toEqual([expect.stringMatching(/#e\.js: .*together/)]);
  });

  it('of a repository that is too large are given up before it is on the disk', async () => {
    const noise = Array.from({ length: 700_000 }, () => Math.random().toString(36)).join('');
    const source = await repository(gitFile('a.js', behavior('A')), gitFile('large.bin', noise));
    const errors: string[] = [];
    const found = await loadCustomBehaviors([source], {
      workDir,
      proxyUrl,
      programs: { PATH: process.env['PATH'] ?? '' },
      maxCloneBytes: 1_000_000,
      fetchText: () => Promise.resolve(null),
      onError: (_source, message) => errors.push(message),
    });
    expect(found).toEqual([]);
    expect(errors).toEqual([expect.stringContaining('large')]);
    expect(await readdir(workDir)).toEqual([]);
  });

  it('say which program is missing', async () => {
    const errors: string[] = [];
    await loadCustomBehaviors(['git+http://127.0.0.1:9/x'], {
      workDir,
      proxyUrl,
      programs: { PATH: '/nowhere' },
      fetchText: () => Promise.resolve(null),
      onError: (_source, message) => errors.push(message),
    });
    expect(errors).toEqual([expect.stringContaining('install git')]);
  });
});
