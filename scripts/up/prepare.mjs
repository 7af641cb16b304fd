/** Packages installed, sources built: only when something changed since the last time. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failureLine, readOr, ROOT, run, say } from '../provision/lib.mjs';

const LOCK_STAMP = path.join(ROOT, 'node_modules', '.muniment-packages');
const BUILD_STAMP = path.join(ROOT, 'dist', '.muniment-build.json');
/** What the build reads. */
const BUILD_INPUTS = [
  ...['src', 'crawler', 'formats', 'web', 'scripts/copy-assets.mjs', 'scripts/build-web.mjs'],
  ...['nest-cli.json', 'package-lock.json'],
];
const BUILD_CONFIGS = ['tsconfig.json', 'tsconfig.build.json'];

/** Runs `npm ci` unless the packages of this package-lock.json are installed. */
export async function ensureInstalled(log = say) {
  const lock = hash(readFileSync(path.join(ROOT, 'package-lock.json')));
  if (readOr(LOCK_STAMP, '') === lock) return;
  // A linked folder belongs to another checkout, which `npm ci` would empty.
  const linked = lstatSync(path.join(ROOT, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink();
  if (linked || isInstalledByHand()) return;
  log('Installing packages (npm ci), once …');
  const started = performance.now();
  const [command, args] = npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  // The downloader's own post-install step is left out: mongod is looked for in more places than it knows.
  const env = { ...process.env, MONGOMS_DISABLE_POSTINSTALL: '1' };
  const beat = setInterval(() => log(`  … ${seconds(started)}`), 15_000);
  const { code, output } = await run(command, args, { cwd: ROOT, env, echo: true, timeoutMs: 1_800_000 });
  clearInterval(beat);
  if (code !== 0) {
    throw new Error(
      `npm ci did not work: ${failureLine(output)}\nCheck the network and the disk, then run the same command again.`,
    );
  }
  writeFileSync(LOCK_STAMP, lock);
  log(`Packages installed in ${seconds(started)}.`);
}

/** Someone ran npm themselves: every package is there in the version that package.json pins. */
function isInstalledByHand() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return Object.entries({ ...dependencies, ...devDependencies }).every(([name, version]) => {
    const text = readOr(path.join(ROOT, 'node_modules', name, 'package.json'), '{}');
    return JSON.parse(text).version === version;
  });
}

/** Builds `dist/` unless it was built from these sources. */
export async function ensureBuilt(log = say) {
  const stamp = JSON.parse(readOr(BUILD_STAMP, '{}'));
  const files = inputFiles();
  const quick = hash(files.map((file) => `${file} ${stat(file)}`).join('\n'));
  const entry = existsSync(path.join(ROOT, 'dist', 'src', 'main.js'));
  if (entry && stamp.quick === quick) return;
  const full = hash(files.map((file) => `${file} ${hash(readFileSync(path.join(ROOT, file)))}`).join('\n'));
  if (!entry || stamp.full !== full) await build(log);
  writeFileSync(BUILD_STAMP, JSON.stringify({ quick, full }));
}

async function build(log) {
  log('Building, because the sources changed …');
  const started = performance.now();
  const [command, args] = npm(['run', '--silent', 'build']);
  const { code, output } = await run(command, args, { cwd: ROOT, echo: true });
  if (code !== 0) throw new Error(`The build did not work: ${failureLine(output)}`);
  log(`Built in ${seconds(started)}.`);
}

/** npm as this process was started by it, else the one on PATH. */
export function npm(args) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [process.execPath, [script, ...args]] : ['npm', args];
}

function inputFiles() {
  const listed = BUILD_INPUTS.flatMap((name) => walk(name)).filter((name) => !name.endsWith('.spec.ts'));
  return [...listed, ...BUILD_CONFIGS].sort();
}

function walk(name) {
  const found = statSync(path.join(ROOT, name), { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [name];
  const entries = readdirSync(path.join(ROOT, name), { recursive: true, withFileTypes: true });
  const isSource = (entry) => entry.isFile() && !entry.parentPath.includes('node_modules');
  return entries.filter(isSource).map((e) => path.relative(ROOT, path.join(e.parentPath, e.name)));
}

function stat(name) {
  const { size, mtimeMs } = statSync(path.join(ROOT, name));
  return `${size} ${mtimeMs}`;
}

function hash(data) {
  return createHash('sha256').update(data).digest('hex');
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(0)} s`;
}
