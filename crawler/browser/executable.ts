import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

export class BrowserNotFound extends Error {
  constructor() {
    super('no Chromium found: set CHROMIUM_PATH or install chromium');
  }
}

/** Returns the given path, or the first Chromium on the search path. @throws BrowserNotFound */
export async function findChromium(given: string | undefined, searchPath: string): Promise<string> {
  if (given) return given;
  for (const folder of searchPath.split(delimiter)) {
    for (const name of NAMES) {
      const path = join(folder, name);
      if (await executable(path)) return path;
    }
  }
  throw new BrowserNotFound();
}

/** Returns Chromium's version, such as `156.0.8078.79`. */
export async function chromiumVersion(path: string): Promise<string> {
  const { stdout } = await run(path, ['--version'], { timeout: 20_000 });
  return /(\d+(?:\.\d+){1,3})/.exec(stdout)?.[1] ?? '0';
}

/** Chromium's own reduced user agent, without the `Headless` of headless mode. */
export function plainUserAgent(version: string): string {
  const major = version.split('.', 1)[0];
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}

async function executable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
