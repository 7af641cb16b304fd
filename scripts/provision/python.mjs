/** The Python tools that tests use as independent judges of what the service writes and answers. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheDir, failureLine, readOr, run, say, which, withLock } from './lib.mjs';

const PACKAGES = ['wacz==0.6.0', 'warcio==1.8.1', 'cdxj-indexer==1.5.0'];
/** Clients of archives that libraries use. They are kept apart, so that a change of one list leaves the other's alone. */
const CLIENTS = ['py-wasapi-client==1.1.0', 'memento_client==0.6.1', 'cdx_toolkit==0.9.39', 'setuptools==80.9.0'];

/**
 * A virtual environment in the cache with the WACZ validator and its friends; made when absent.
 * @param {(line: string) => void} log receives progress lines
 * @returns {Promise<{python: string, bin: string} | null>} the interpreter and the folder of its programs (`wacz`,
 *   `warcio`, `cdxj-indexer`); null, with a loud line, where it cannot be had
 */
export const findPythonTools = (log = say) =>
  environment({ dir: cacheDir('python'), packages: PACKAGES, missing: 'no WACZ validator' }, log);

/**
 * The same with the clients of WASAPI, Memento and CDX servers.
 * @param {(line: string) => void} log receives progress lines
 * @returns {Promise<{python: string, bin: string} | null>}
 */
export const findArchiveClients = (log = say) =>
  environment({ dir: cacheDir('python-clients'), packages: CLIENTS, missing: 'no clients of archives' }, log);

/**
 * @param {{dir: string, packages: string[], missing: string}} wanted
 * @param {(line: string) => void} log
 */
async function environment({ dir, packages, missing }, log) {
  const tools = { python: path.join(dir, 'bin', 'python'), bin: path.join(dir, 'bin') };
  const stamp = path.join(dir, 'packages');
  const wanted = packages.join('\n');
  const ready = () => readOr(stamp, '') === wanted && existsSync(tools.python);
  if (ready()) return tools;
  return withLock(dir, async () => {
    if (ready()) return tools;
    const failure = await install({ dir, packages, venvPython: tools.python }, log);
    if (failure) {
      log(`SKIPPED: ${missing} (${failure}). Tests that need it are left out.`);
      return null;
    }
    writeFileSync(stamp, wanted);
    return tools;
  });
}

/**
 * @param {{dir: string, packages: string[], venvPython: string}} wanted
 * @param {(line: string) => void} log
 */
async function install({ dir, packages, venvPython }, log) {
  const python = which('python3', 'python');
  if (!python) return 'no python3 on PATH';
  log(`python: ${packages.join(' ')} …`);
  const venv = await run(python, ['-m', 'venv', dir]);
  if (venv.code !== 0) return `python -m venv: ${failureLine(venv.output)}`;
  const pip = await run(venvPython, ['-m', 'pip', 'install', '--quiet', ...packages]);
  return pip.code === 0 ? null : `pip: ${failureLine(pip.output)}`;
}
