import { randomBytes } from 'node:crypto';
import { errorText } from '../base/time.js';
import { httpUrl } from '../scope/url.js';
import { behaviorClass } from './behavior-class.js';
import type { BehaviorCode } from './behavior-library.js';
import { MAX_CLONE_BYTES, withGitFolder, type GitFile } from './git-folder.js';

/** Largest script, bytes. */
const MAX_BYTES = 5_000_000;
/** Largest sum of a crawl's scripts, bytes, because each page gets all of them. */
const MAX_ALL_BYTES = 20_000_000;
/** Most scripts taken from one folder. */
const MAX_FILES = 100;

interface Sources {
  readonly workDir: string;
  /** Variables for git: its path and the certificates it trusts. */
  readonly programs: Readonly<Record<string, string>>;
  /** URL of the guard, so that a repository is no way into private networks. */
  readonly proxyUrl: string;
  /** Returns the text at an address, cut at `mostBytes`; null for none. */
  readonly fetchText: (url: string, mostBytes: number) => Promise<string | null>;
  readonly onError: (source: string, message: string) => void;
  readonly maxCloneBytes?: number;
}

/** The scripts loaded so far, and the room left. */
class Loaded {
  readonly behaviors: BehaviorCode[] = [];
  private left = MAX_ALL_BYTES;

  /** @throws when the script is too large, alone or with those before it */
  refuse(sizeBytes: number): void {
    if (sizeBytes > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`);
    if (sizeBytes > this.left) throw new Error(`all custom behaviors together are larger than ${MAX_ALL_BYTES} bytes`);
  }

  /** @throws for a script that is too large or no behavior */
  add(source: string, text: string): void {
    const sizeBytes = Buffer.byteLength(text);
    this.refuse(sizeBytes);
    this.behaviors.push({ source, code: behaviorClass(text) });
    this.left -= sizeBytes;
  }
}

/**
 * Loads custom behaviors by address: a script's URL, or `git+<url>?branch=<name>&path=<folder>` for all scripts of a
 * repository's folder. A script that can't be loaded or is no behavior is reported and left out.
 */
export async function loadCustomBehaviors(list: readonly string[], sources: Sources): Promise<BehaviorCode[]> {
  const loaded = new Loaded();
  for (const source of list) {
    try {
      await (source.startsWith('git+') ? fromGit(source, sources, loaded) : fromUrl(source, sources, loaded));
    } catch (error) {
      sources.onError(source, errorText(error));
    }
  }
  return loaded.behaviors;
}

async function fromUrl(source: string, { fetchText }: Sources, loaded: Loaded): Promise<void> {
  webUrl(source);
  const text = await fetchText(source, MAX_BYTES + 1);
  if (text === null) throw new Error('not found');
  loaded.add(source, text);
}

async function fromGit(source: string, sources: Sources, loaded: Loaded): Promise<void> {
  const url = webUrl(source.slice('git+'.length));
  const folder = { path: url.searchParams.get('path') ?? '', branch: url.searchParams.get('branch') ?? undefined };
  url.search = '';
  const { workDir, programs, proxyUrl, maxCloneBytes: maxBytes = MAX_CLONE_BYTES } = sources;
  // The name is random, so that nothing has it already.
  const name = `behaviors-${randomBytes(8).toString('hex')}`;
  return withGitFolder({ ...folder, url: url.href }, { workDir, name, programs, proxyUrl, maxBytes }, (files) =>
    scripts(source, files, sources, loaded),
  );
}

async function scripts(source: string, files: GitFile[], { onError }: Sources, loaded: Loaded): Promise<void> {
  const found = files.filter(({ name }) => name.endsWith('.js')).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (found.length === 0) throw new Error('the folder has no scripts');
  if (found.length > MAX_FILES) throw new Error(`the folder has more than ${MAX_FILES} scripts`);
  for (const { name, sizeBytes, read } of found) {
    const file = `${source}#${name}`;
    try {
      loaded.refuse(sizeBytes);
      loaded.add(file, await read());
    } catch (error) {
      onError(file, errorText(error));
    }
  }
}

/** @throws for addresses outside the web: files of this machine, helper programs, data in the address itself */
function webUrl(address: string): URL {
  const url = httpUrl(address);
  if (!url) throw new Error('only http and https addresses are loaded');
  return url;
}
