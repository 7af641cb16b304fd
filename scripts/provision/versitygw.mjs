import path from 'node:path';
import { cacheDir, isExecutable, failureLine, run, say, which, withLock } from './lib.mjs';

/** Pinned, so that a test run means the same tomorrow. */
const MODULE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';

/**
 * The path of versitygw, an S3 server over a folder, which the S3 adapter is tested against: from PATH, the cache, or
 * built by `go install` into the cache. Null, with a loud line, where none of these works.
 * @param {(line: string) => void} log receives progress lines
 */
export async function findVersitygw(log = say) {
  const dir = cacheDir('versitygw');
  const cached = path.join(dir, 'versitygw');
  const present = () => which('versitygw') ?? (isExecutable(cached) ? cached : null);
  if (present()) return present();
  return withLock(dir, async () => {
    if (present()) return present();
    const go = which('go');
    let failure = 'no versitygw and no go on PATH';
    if (go) {
      log(`versitygw: go install ${MODULE} …`);
      const { code, output } = await run(go, ['install', MODULE], { env: { ...process.env, GOBIN: dir } });
      if (code === 0 && isExecutable(cached)) return cached;
      failure = `go install: ${failureLine(output)}`;
    }
    log(`SKIPPED: no S3 server (${failure}). Tests that need it are left out.`);
    return null;
  });
}
