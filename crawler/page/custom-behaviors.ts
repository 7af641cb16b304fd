import { randomBytes } from 'node:crypto';
import { errorText } from '../base/time.js';
import { httpUrl } from '../scope/url.js';
import { behaviorClass } from './behavior-class.js';
import type { BehaviorCode } from './behavior-library.js';
import { MAX_CLONE_BYTES, withGitFolder, type GitFile } from './git-folder.js';

/** Of one script. */
const MAX_BYTES = 5_000_000;
/** Of one folder; each page is given all of them. */
const MAX_FILES = 100;

interface Sources {
  workDir: string;
  /** Where git is found, and whom it trusts. */
  programs: Readonly<Record<string, string>>;
  /** The guard: a repository is no way into private networks either. */
  proxyUrl: string;
  /** The text at an address, cut at `mostBytes`; null for none. */
  fetchText: (url: string, mostBytes: number) => Promise<string | null>;
  onError: (source: string, message: string) => void;
  maxCloneBytes?: number;
}

/**
 * Custom behaviors by their addresses: a script's URL, or `git+<url>?branch=<name>&path=<folder>` for all scripts of a
 * folder of a repository. One that can't be loaded, or is no behavior, is reported and left out.
 */
export async function loadCustomBehaviors(list: readonly string[], sources: Sources): Promise<BehaviorCode[]> {
  const loaded: BehaviorCode[] = [];
  for (const source of list) {
    try {
      loaded.push(...(await (source.startsWith('git+') ? fromGit(source, sources) : fromUrl(source, sources))));
    } catch (error) {
      sources.onError(source, errorText(error));
    }
  }
  return loaded;
}

async function fromUrl(source: string, { fetchText }: Sources): Promise<BehaviorCode[]> {
  webUrl(source);
  const text = await fetchText(source, MAX_BYTES + 1);
  if (text === null) throw new Error('not found');
  if (Buffer.byteLength(text) > MAX_BYTES) throw tooLarge();
  return [{ source, code: behaviorClass(text) }];
}

async function fromGit(source: string, sources: Sources): Promise<BehaviorCode[]> {
  const url = webUrl(source.slice('git+'.length));
  const folder = { path: url.searchParams.get('path') ?? '', branch: url.searchParams.get('branch') ?? undefined };
  url.search = '';
  const { workDir, programs, proxyUrl, maxCloneBytes: maxBytes = MAX_CLONE_BYTES } = sources;
  // A name that nobody knows, so that nothing lies in its way.
  const name = `behaviors-${randomBytes(8).toString('hex')}`;
  return withGitFolder({ ...folder, url: url.href }, { workDir, name, programs, proxyUrl, maxBytes }, (files) =>
    scripts(source, files, sources),
  );
}

async function scripts(source: string, files: GitFile[], { onError }: Sources): Promise<BehaviorCode[]> {
  const found = files.filter(({ name }) => name.endsWith('.js')).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (found.length === 0) throw new Error('the folder has no scripts');
  if (found.length > MAX_FILES) throw new Error(`the folder has more than ${MAX_FILES} scripts`);
  const loaded: BehaviorCode[] = [];
  for (const { name, sizeBytes, read } of found) {
    const file = `${source}#${name}`;
    try {
      if (sizeBytes > MAX_BYTES) throw tooLarge();
      loaded.push({ source: file, code: behaviorClass(await read()) });
    } catch (error) {
      onError(file, errorText(error));
    }
  }
  return loaded;
}

/** @throws for what is not on the web: files of this machine, helper programs, data in the address itself */
function webUrl(address: string): URL {
  const url = httpUrl(address);
  if (!url) throw new Error('only http and https addresses are loaded');
  return url;
}

const tooLarge = (): Error => new Error(`larger than ${MAX_BYTES} bytes`);
