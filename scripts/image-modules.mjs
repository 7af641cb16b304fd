/**
 * `node scripts/image-modules.mjs api|crawler`: leaves in node_modules what an image needs at run time alone. Packages are
 * kept that the compiled program names, or for the API those of package.json, and what these load themselves; of each
 * package, no types, no source maps and no sources in other languages. Run in the image's build; it deletes.
 */
import { existsSync, readdirSync, readFileSync, rmSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './provision/lib.mjs';

/** Packages whose files are sent to browsers as they are: nothing of what they were built from is loaded. */
const FILES_ALONE = new Set(['browsertrix-behaviors', 'redoc', 'replaywebpage', 'swagger-ui-dist']);
const NEVER_LOADED = /\.(map|[cm]?ts|tsx|md|markdown|flow|cc|cpp|c|h|gyp)$/i;
const LICENCE = /licen[cs]e|notice|copying/i;
const MODULES = path.join(ROOT, 'node_modules');
/** A package that a compiled file names: imported, loaded later, or found by its path. */
const NAMED = /(?:from|import|import\(|resolve\()\s*["']((?:@[\w-][\w.-]*\/)?[\w-][\w.-]*)(?:\/[^"']*)?["']/g;

const [image] = process.argv.slice(2);
if (image !== 'api' && image !== 'crawler') throw new Error('usage: node scripts/image-modules.mjs api|crawler');

const kept = reachable(
  image === 'api' ? Object.keys(packageAt(ROOT).dependencies) : namedIn('dist/crawler', 'dist/formats'),
);
// The compiler's plugin for the service's documents takes files by their names: one of the crawler would bring the service.
const foreign = [...kept].filter((folder) => image === 'crawler' && folder.includes('/@nestjs/'));
if (foreign.length > 0) throw new Error(`the crawler loads packages of the service: ${foreign.join(', ')}`);
let removed = 0;
removeUnless(MODULES);
for (const folder of kept) thin(folder);
process.stdout.write(`Packages kept: ${kept.size}, removed: ${removed}\n`);

function packageAt(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}

/** Names of the packages that the compiled files in these folders load. */
function namedIn(...folders) {
  const names = new Set();
  for (const folder of folders)
    for (const entry of readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
      const text = readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
      for (const [, name] of text.matchAll(NAMED)) if (existsSync(path.join(MODULES, name))) names.add(name);
    }
  return [...names];
}

/** Folders of these packages and of all that they load, found as Node finds them. */
function reachable(names) {
  const folders = new Set();
  const add = (name, from) => {
    const folder = folderOf(name, from);
    if (!folder || folders.has(folder)) return;
    folders.add(folder);
    const { dependencies = {}, optionalDependencies = {}, ...peers } = packageAt(folder);
    if (FILES_ALONE.has(name)) return;
    const { peerDependencies = {}, peerDependenciesMeta = {} } = peers;
    const needed = { ...dependencies, ...optionalDependencies };
    for (const each of Object.keys(peerDependencies)) if (!peerDependenciesMeta[each]?.optional) needed[each] = '';
    for (const each of Object.keys(needed)) add(each, folder);
  };
  for (const name of names) add(name, ROOT);
  return folders;
}

/** The folder of a package as `from` sees it; undefined when it is not installed: optional, or for another system. */
function folderOf(name, from) {
  for (let at = from; at.startsWith(ROOT); at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    if (existsSync(path.join(folder, 'package.json'))) return folder;
  }
  return undefined;
}

/** Removes the packages in this folder that are not kept; those inside kept ones likewise. */
function removeUnless(modules) {
  for (const name of readdirSync(modules)) {
    const folder = path.join(modules, name);
    if (name.startsWith('@') && !lstatSync(folder).isSymbolicLink()) removeUnless(folder);
    else if (!kept.has(folder)) {
      rmSync(folder, { recursive: true, force: true });
      removed += 1;
    } else if (existsSync(path.join(folder, 'node_modules'))) removeUnless(path.join(folder, 'node_modules'));
  }
}

function thin(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && NEVER_LOADED.test(entry.name) && !LICENCE.test(entry.name))
      rmSync(path.join(entry.parentPath, entry.name));
}
