import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Path of the compiled crawler; files older than their source are compiled first. */
export async function builtCrawler(): Promise<string> {
  for (const folder of ['crawler', 'formats']) await compile(folder);
  return join(ROOT, 'dist', 'crawler', 'main.js');
}

async function compile(folder: string): Promise<void> {
  const from = join(ROOT, folder);
  for (const name of await readdir(from, { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue;
    const target = join(ROOT, 'dist', folder, name.replace(/\.ts$/, '.js'));
    if ((await modified(target)) > (await modified(join(from, name)))) continue;
    const { code } = await transformFile(join(from, name), {
      jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
      module: { type: 'es6' },
    });
    await mkdir(dirname(target), { recursive: true });
    // Several test processes may build at once: each file appears whole.
    const temporary = `${target}.${process.pid}`;
    await writeFile(temporary, code);
    await rename(temporary, target);
  }
}

/** A crawler without a browser; its script is in the query of the seed. */
export const SCRIPTED_CRAWLER = fileURLToPath(new URL('./scripted-crawler.mjs', import.meta.url));

/** The program of tunnels, once the crawler is built. */
export const BUILT_TUNNEL = join(ROOT, 'dist', 'crawler', 'tunnel.js');

/** What containers of the crawler image run. @param entry the crawler in them */
export async function crawlerImage(
  entry = SCRIPTED_CRAWLER,
  env: Record<string, string> = {},
): Promise<{ program: string[]; env: Record<string, string> }> {
  const main = await builtCrawler();
  return {
    program: [process.execPath, join(dirname(main), 'container', 'main.js')],
    env: { CRAWLER_ENTRY: entry, ...env },
  };
}

async function modified(path: string): Promise<number> {
  return stat(path).then(
    (info) => info.mtimeMs,
    () => 0,
  );
}
