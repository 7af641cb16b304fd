import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { PlainServer } from './plain-server.js';

/** An entry of a repository as git stores it: its mode, path, and content, or the commit of a submodule. */
export interface GitEntry {
  mode: '100644' | '100755' | '120000' | '160000';
  path: string;
  content: string;
}

export const gitFile = (path: string, content: string): GitEntry => ({ mode: '100644', path, content });
export const gitLink = (path: string, target: string): GitEntry => ({ mode: '120000', path, content: target });

const SOMEONE = { NAME: 'Someone', EMAIL: 'someone@example.org' };

/** A repository of one commit, whatever its entries are, served by the git program's own protocol over HTTP. */
export class GitServer {
  private constructor(
    private readonly server: PlainServer,
    private readonly folder: string,
  ) {}

  static async start(entries: readonly GitEntry[]): Promise<GitServer> {
    const folder = mkdtempSync(join(tmpdir(), 'muniment-git-'));
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
    for (const [key, value] of Object.entries(SOMEONE))
      Object.assign(env, { [`GIT_AUTHOR_${key}`]: value, [`GIT_COMMITTER_${key}`]: value });
    const git = (args: string[], input?: string): string =>
      execFileSync('git', args, {
        cwd: folder,
        env,
        encoding: 'utf8',
        ...(input === undefined ? {} : { input }),
      }).trim();
    git(['init', '--bare', '--quiet', '--initial-branch', 'main', '.']);
    const lines = entries.map(({ mode, path, content }) => {
      const id = mode === '160000' ? content : git(['hash-object', '-w', '--stdin'], content);
      return `${mode} ${id}\t${path}\n`;
    });
    git(['update-index', '--add', '--index-info'], lines.join(''));
    git(['update-ref', 'refs/heads/main', git(['commit-tree', git(['write-tree']), '-m', 'all'])]);
    return new GitServer(await PlainServer.start((req, res) => answer(folder, req, res)), folder);
  }

  /** Of the repository, as `git clone` takes it. */
  get url(): string {
    return `${this.server.url}/repo.git`;
  }

  async close(): Promise<void> {
    await this.server.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** gitprotocol-http(5), reading only. */
function answer(folder: string, req: IncomingMessage, res: ServerResponse): void {
  const asksRefs = req.url === '/repo.git/info/refs?service=git-upload-pack';
  if (!asksRefs && req.url !== '/repo.git/git-upload-pack') {
    res.writeHead(404).end();
    return;
  }
  const protocol = req.headers['git-protocol'];
  const args = ['upload-pack', '--stateless-rpc', ...(asksRefs ? ['--advertise-refs'] : []), folder];
  const env = { ...process.env, ...(typeof protocol === 'string' ? { GIT_PROTOCOL: protocol } : {}) };
  const child = spawn('git', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  res.setHeader('content-type', `application/x-git-upload-pack-${asksRefs ? 'advertisement' : 'result'}`);
  if (asksRefs) res.write('001e# service=git-upload-pack\n0000');
  (req.headers['content-encoding'] === 'gzip' ? req.pipe(createGunzip()) : req).pipe(child.stdin);
  child.stdout.pipe(res);
}
