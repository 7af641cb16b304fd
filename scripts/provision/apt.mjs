import { failureLine, run, which } from './lib.mjs';

/** @returns {boolean} whether this process can install Debian or Ubuntu packages */
export function canInstallPackages() {
  return process.getuid?.() === 0 && which('apt-get') !== null;
}

/** Installs packages with apt-get. @throws {Error} with apt-get's last line */
export async function installPackages(...packages) {
  // RUNLEVEL=1 keeps a package's own service from being started.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const install = () =>
    run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], { env, timeoutMs: 900_000 });
  let result = await install();
  if (result.code !== 0) {
    // The package lists of a fresh image are absent or old.
    await run('apt-get', ['update', '-q'], { env, timeoutMs: 300_000 });
    result = await install();
  }
  if (result.code !== 0) throw new Error(`apt-get: ${failureLine(result.output)}`);
}
