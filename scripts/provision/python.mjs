/** The Python tools that tests use as independent judges of what the crawler writes. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheDir, failureLine, readOr, run, say, which, withLock } from './lib.mjs';

const PACKAGES = ['wacz==0.6.0', 'warcio==1.8.1', 'cdxj-indexer==1.5.0'];

/**
 * A virtual environment in the cache with the WACZ validator and its friends; made when absent.
 * @param {(line: string) => void} log receives progress lines
 * @returns {Promise<{python: string, bin: string} | null>} the interpreter and the folder of its programs (`wacz`,
 *   `warcio`, `cdxj-indexer`); null, with a loud line, where it cannot be had
 */
export async function findPythonTools(log = say) {
  const dir = cacheDir('python');
  const tools = { python: path.join(dir, 'bin', 'python'), bin: path.join(dir, 'bin') };
  const stamp = path.join(dir, 'packages');
  const wanted = PACKAGES.join('\n');
  const ready = () => readOr(stamp, '') === wanted && existsSync(tools.python);
  if (ready()) return tools;
  return withLock(dir, async () => {
    if (ready()) return tools;
    const failure = await install(dir, tools.python, log);
    if (failure) {
      log(`SKIPPED: no WACZ validator (${failure}). Tests that need it are left out.`);
      return null;
    }
    writeFileSync(stamp, wanted);
    return tools;
  });
}

async function install(dir, venvPython, log) {
  const python = which('python3', 'python');
  if (!python) return 'no python3 on PATH';
  log(`python: ${PACKAGES.join(' ')} …`);
  const venv = await run(python, ['-m', 'venv', dir]);
  if (venv.code !== 0) return `python -m venv: ${failureLine(venv.output)}`;
  const pip = await run(venvPython, ['-m', 'pip', 'install', '--quiet', ...PACKAGES]);
  return pip.code === 0 ? null : `pip: ${failureLine(pip.output)}`;
}
