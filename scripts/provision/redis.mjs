import { canInstallPackages, installPackages } from './apt.mjs';
import { say, which } from './lib.mjs';

/**
 * The path of a Redis server, which tests of the container drivers talk to; from PATH or, as root, the Debian or
 * Ubuntu package. Null, with a loud line, where there is none.
 * @param {(line: string) => void} log receives progress lines
 */
export async function findRedis(log = say) {
  const present = () => which('redis-server', 'valkey-server');
  if (present()) return present();
  if (canInstallPackages()) {
    log('redis: package redis-server by apt-get …');
    try {
      await installPackages('redis-server');
      if (present()) return present();
    } catch (error) {
      log(`redis: ${error.message}`);
    }
  }
  log('SKIPPED: no redis-server on PATH. Tests that need it are left out.');
  return null;
}
