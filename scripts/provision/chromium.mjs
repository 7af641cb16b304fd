/** Finds or obtains Chromium. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { canInstallPackages, installPackages } from './apt.mjs';
import { cacheDir, isExecutable, failureLine, ProvisionError, ROOT, run, say, which, withLock } from './lib.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
/** Where macOS keeps applications; they are not on PATH there. */
const MAC_APPS = ['Google Chrome', 'Chromium'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
const ADVICE = [
  'install Chromium or Google Chrome so that it is on PATH',
  'or point CHROMIUM_PATH at a Chromium or Chrome program',
];

/**
 * The path of a Chromium or Chrome program. Order: CHROMIUM_PATH, PATH, the Debian or Ubuntu package when we are
 * root, the browser download of playwright-core (kept in the cache).
 * @param {(line: string) => void} log receives progress lines
 * @throws {ProvisionError} with each step's failure and what to do
 */
export async function findChromium(log = say) {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new ProvisionError('Chromium', [`CHROMIUM_PATH is ${named}, which is not an executable file`], ADVICE);
  }
  const present = installedChromium();
  if (present) return present;
  return withLock(cacheDir('chromium'), () => obtainChromium(log));
}

/** Chromium or Chrome on PATH or where the system keeps applications, or null. */
export function installedChromium() {
  return which(...NAMES) ?? MAC_APPS.find(isExecutable) ?? null;
}

async function obtainChromium(log) {
  const tried = ['CHROMIUM_PATH is not set', 'no Chromium or Chrome on PATH'];
  const steps = [['download by playwright-core', download]];
  if (canInstallPackages()) steps.unshift(['package chromium by apt-get', installPackage]);
  for (const [name, step] of steps) {
    try {
      const file = await step(log, name);
      const { code, output } = await run(file, ['--version', '--no-sandbox'], { timeoutMs: 60_000 });
      if (code !== 0) throw new Error(`the program does not run: ${failureLine(output)}`);
      return file;
    } catch (error) {
      tried.push(`${name}: ${error.message.split('\n')[0]}`);
      log(`chromium: ${name} did not work: ${error.message.split('\n')[0]}`);
    }
  }
  throw new ProvisionError('Chromium', tried, ADVICE);
}

async function installPackage(log, name) {
  log(`chromium: ${name} …`);
  await installPackages('chromium', 'fonts-liberation');
  const file = which(...NAMES);
  if (!file) throw new Error('the package brought no program on PATH');
  return file;
}

async function download(log, name) {
  const env = { ...process.env, PLAYWRIGHT_BROWSERS_PATH: cacheDir('chromium') };
  const packageDir = path.join(ROOT, 'node_modules', 'playwright-core');
  const script = "process.stdout.write(require('playwright-core').chromium.executablePath())";
  const { output: file } = await run(process.execPath, ['-e', script], { env, cwd: ROOT });
  if (existsSync(file)) return file;
  log(`chromium: ${name} …`);
  const args = [path.join(packageDir, 'cli.js'), 'install', '--no-shell', 'chromium'];
  const { code, output } = await run(process.execPath, args, { env, timeoutMs: 900_000 });
  if (code !== 0) throw new Error(failureLine(output));
  return file;
}
