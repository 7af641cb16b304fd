import path from 'node:path';
import { cacheDir, failureLine, isExecutable, run, say, which, withLock } from './lib.mjs';

/** Pinned, so that a test run means the same tomorrow. */
const MODULE = 'helm.sh/helm/v3/cmd/helm@v3.19.2';
const BUILD_MS = 1_800_000;

/**
 * The path of helm, which the chart is checked with: from PATH, the cache, or built by `go install` into the cache when
 * MUNIMENT_BUILD_KUBE=1 (some minutes). Null, with a loud line, where it cannot be had.
 * @param {(line: string) => void} log receives progress lines
 */
export async function findHelm(log = say) {
  const dir = cacheDir('helm');
  const cached = path.join(dir, 'helm');
  const present = () => which('helm') ?? (isExecutable(cached) ? cached : null);
  if (present()) return present();
  if (process.env.MUNIMENT_BUILD_KUBE !== '1') {
    log('skipped: tests of the Helm chart: no helm on PATH nor in the cache; MUNIMENT_BUILD_KUBE=1 builds one');
    return null;
  }
  return withLock(
    dir,
    async () => {
      if (present()) return present();
      const go = which('go');
      let failure = 'no helm and no go on PATH';
      if (go) {
        log(`helm: go install ${MODULE} …`);
        const { code, output } = await run(go, ['install', MODULE], { env: { ...process.env, GOBIN: dir } });
        if (code === 0 && isExecutable(cached)) return cached;
        failure = `go install: ${failureLine(output)}`;
      }
      log(`skipped: tests of the Helm chart: ${failure}`);
      return null;
    },
    BUILD_MS,
  );
}
