/**
 * The test site as a process of its own: `node scripts/test-site.mjs [port] [port of the other origin]`.
 * Benchmarks import `startTestSite`. Needs the development packages.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformFileSync } from '@swc/core';

const SOURCE = fileURLToPath(new URL('../test/support/site', import.meta.url));

/** Below the packages that the site serves and uses. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));

/** The site's sources are TypeScript; they are compiled to a temporary folder. */
export async function startTestSite(options = {}) {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE, 'test-site-'));
  try {
    for (const name of readdirSync(SOURCE)) {
      const from = path.join(SOURCE, name);
      if (!name.endsWith('.ts')) copyFileSync(from, path.join(folder, name));
      else writeFileSync(path.join(folder, name.replace(/\.ts$/, '.js')), compiled(from));
    }
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    const site = await import(pathToFileURL(path.join(folder, 'site.js')).href);
    return await site.startTestSite(options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compiled(file) {
  const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' };
  return transformFileSync(file, { jsc, module: { type: 'es6' } }).code;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [port = 8800, otherPort = 0] = process.argv.slice(2).map(Number);
  const site = await startTestSite({ port, otherPort });
  process.stdout.write(`The test site is at ${site.url}\n`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void site.close().then(() => process.exit(0)));
}
