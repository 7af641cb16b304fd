import { randomBytes } from 'node:crypto';
import { errorText } from '../base/time.js';
import { httpUrl } from '../scope/url.js';
import { behaviorClass } from './behavior-class.js';
import type { BehaviorCode } from './behavior-library.js';
import { MAX_CLONE_BYTES, withGitFolder, type GitFile } from './git-folder.js';

/** Longest script. */
const MAX_BYTES = 5_000_000;
/** Longest sum of a crawl's scripts: each page is given all of them. */
const MAX_ALL_BYTES = 20_000_000;
/** Most scripts that are taken from one folder. */
const MAX_FILES = 100;

interface Sources {
  readonly workDir: string;
  /** Where git is found, and whom it trusts. */
  readonly programs: Readonly<Record<string, string>>;
  /** The guard: a repository is no way into private networks either. */
  readonly proxyUrl: string;
  /** The text at an address, cut at `mostBytes`; null for none. */
  readonly fetchText: (url: string, mostBytes: number) => Promise<string | null>;
  readonly onError: (source: string, message: string) => void;
  readonly maxCloneBytes?: number;
}

/** What was loaded so far, and what there is room for. */
class Loaded {
  readonly behaviors: BehaviorCode[] = [];
  private left = MAX_ALL_BYTES;

  /** @throws for what is too large, by itself or with those before it */
  refuse(sizeBytes: number): void {
    if (sizeBytes > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`);
    if (sizeBytes > this.left) throw new Error(`all custom behaviors together are larger than ${MAX_ALL_BYTES} bytes`);
  }

  /** @throws for what is too large or no behavior */
  add(source: string, text: string): void {
    const sizeBytes = Buffer.byteLength(text);
    this.refuse(sizeBytes);
    this.behaviors.push({ source, code: behaviorClass(text) });
    this.left -= sizeBytes;
  }
}

/**
 * Custom behaviors by their addresses: a script's URL, or `git+<url>?branch=<name>&path=<folder>` for all scripts of a
 * folder of a repository. One that can't be loaded, or is no behavior, is reported and left out.
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
  // A name that nobody knows, so that nothing lies in its way.
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

/** @throws for what is not on the web: files of this machine, helper programs, data in the address itself */
function webUrl(address: string): URL {
  const url = httpUrl(address);
  if (!url) throw new Error('only http and https addresses are loaded');
  return url;
}
