import { canInstallPackages, installPackages } from './apt.mjs';
import { say, which } from './lib.mjs';

/**
 * The path of promtool, which checks metrics and alert rules in a test; from PATH or, as root, the Debian or Ubuntu
 * package of Prometheus. Null, with a loud line, where there is none.
 * @param {(line: string) => void} log receives progress lines
 */
export async function findPromtool(log = say) {
  if (which('promtool')) return which('promtool');
  if (canInstallPackages()) {
    log('promtool: package prometheus by apt-get …');
    try {
      await installPackages('prometheus');
      if (which('promtool')) return which('promtool');
    } catch (error) {
      log(`promtool: ${error.message}`);
    }
  }
  log('SKIPPED: no promtool on PATH. Alert rules are not checked by it.');
  return null;
}
