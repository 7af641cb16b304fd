/** Copies what the sources load at run time and the compiler leaves alone into `dist/`. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './provision/lib.mjs';

/** What the compiler handles itself, or nothing loads. */
const NOT_ASSETS = /\.(ts|tsx|md)$|(^|\/)\.[^/]*$/;

let copied = 0;
for (const room of ['src', 'crawler', 'formats']) {
  for (const entry of readdirSync(path.join(ROOT, room), { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || NOT_ASSETS.test(path.relative(ROOT, file))) continue;
    cpSync(file, path.join(ROOT, 'dist', path.relative(ROOT, file)), { preserveTimestamps: true });
    copied += 1;
  }
}

// The sources find the version two folders up, and so does what is built from them.
const { name, version, type } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
writeFileSync(path.join(ROOT, 'dist', 'package.json'), JSON.stringify({ name, version, type, private: true }));

process.stdout.write(`Assets copied: ${copied}\n`);
