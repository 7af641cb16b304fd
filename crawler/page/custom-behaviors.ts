import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { errorText } from '../base/time.js';
import type { CustomBehavior } from './behavior-library.js';

const run = promisify(execFile);
const MAX_BYTES = 5_000_000;
const CLONE_TIMEOUT_MS = 120_000;

interface Sources {
  workDir: string;
  /** The guard: a repository is no way into private networks either. */
  proxyUrl: string;
  fetchText: (url: string, mostBytes: number) => Promise<string | null>;
  onError: (source: string, message: string) => void;
}

/**
 * Custom behaviors by their addresses: a script's URL, or `git+<url>?branch=<name>&path=<folder>` for all scripts of a
 * folder of a repository. One that can't be loaded is reported and left out.
 */
export async function loadCustomBehaviors(list: readonly string[], sources: Sources): Promise<CustomBehavior[]> {
  const loaded: CustomBehavior[] = [];
  for (const [index, source] of list.entries()) {
    try {
      if (source.startsWith('git+'))
        loaded.push(...(await fromGit(source, join(sources.workDir, `behaviors-${index}`), sources.proxyUrl)));
      else {
        const code = await sources.fetchText(source, MAX_BYTES);
        if (code === null) throw new Error('not found');
        loaded.push({ source, code });
      }
    } catch (error) {
      sources.onError(source, errorText(error));
    }
  }
  return loaded;
}

async function fromGit(source: string, folder: string, proxyUrl: string): Promise<CustomBehavior[]> {
  const url = new URL(source.slice('git+'.length));
  const branch = url.searchParams.get('branch');
  const path = url.searchParams.get('path') ?? '';
  url.search = '';
  await rm(folder, { recursive: true, force: true });
  const safe = [
    'http.proxy=' + proxyUrl,
    'protocol.allow=never',
    'protocol.https.allow=always',
    'protocol.http.allow=always',
  ];
  const args = [
    ...safe.flatMap((setting) => ['-c', setting]),
    'clone',
    '--depth',
    '1',
    ...(branch ? ['--branch', branch] : []),
    '--',
    url.href,
    folder,
  ];
  await run('git', args, { timeout: CLONE_TIMEOUT_MS });
  const root = resolve(folder, `.${sep}${path}`);
  if (root !== resolve(folder) && !root.startsWith(resolve(folder) + sep))
    throw new Error('path leads out of the repository');
  const names = (await readdir(root)).filter((name) => name.endsWith('.js')).sort();
  return Promise.all(
    names.map(async (name) => ({ source: `${source}#${name}`, code: await readFile(join(root, name), 'utf8') })),
  );
}
