/**
 * Pages a minute and peak memory of the embedded crawler on the 50-page static test site.
 * `npm run build && node bench/crawl.mjs [windows...]` (default: 2 and 4)
 */
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestSite } from '../scripts/test-site.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CRAWLER = path.join(ROOT, 'dist', 'crawler', 'main.js');
const PAGES = 51;

function crawl(site, windows) {
  const dir = mkdtempSync(path.join(tmpdir(), 'muniment-bench-'));
  const config = {
    mode: 'crawl',
    jobId: 'manual-20260101000000-benchbench-0',
    dir,
    allowPrivate: true,
    windows,
    storageFilename: '@ts-@hostsuffix.wacz',
    warcPrefix: 'bench',
    rolloverBytes: 1e9,
    sessionSeconds: 0,
    diskUsePercent: 0,
    rateLimitThreshold: 5,
    config: { seeds: [{ url: `${site.url}/static/` }], scopeType: 'prefix', limit: PAGES },
    ...(process.env.CHROMIUM_PATH ? { chromiumPath: process.env.CHROMIUM_PATH } : {}),
  };
  return new Promise((resolve, reject) => {
    const child = fork(CRAWLER, [], {
      serialization: 'advanced',
      cwd: dir,
      env: { PATH: process.env.PATH, HOME: dir },
    });
    const figures = { windows, pages: 0, memory: 0, started: 0, finished: 0, bytes: 0 };
    child.on('message', (message) => {
      if (message.t === 'state' && message.status === 'running') figures.started = performance.now();
      if (message.t === 'page') {
        figures.pages += 1;
        figures.finished = performance.now();
      }
      if (message.t === 'stats') figures.memory = Math.max(figures.memory, message.memoryBytes ?? 0);
      if (message.t !== 'wacz') return;
      figures.bytes += message.file.size;
      child.send({ v: 1, t: 'stored', file: message.file.file });
    });
    child.on('exit', (code) => {
      rmSync(dir, { recursive: true, force: true });
      if (code === 0) resolve(figures);
      else reject(new Error(`the crawler ended with ${code}`));
    });
    child.send({ v: 1, t: 'start', resume: false, config });
  });
}

if (!existsSync(CRAWLER)) {
  process.stderr.write('No build found: npm run build\n');
  process.exit(1);
}
const site = await startTestSite();
try {
  const runs = process.argv.slice(2).map(Number).filter(Boolean);
  for (const windows of runs.length > 0 ? runs : [2, 4]) {
    const { pages, started, finished, memory, bytes } = await crawl(site, windows);
    const seconds = (finished - started) / 1000;
    process.stdout.write(
      `${windows} windows: ${pages} pages in ${seconds.toFixed(1)} s = ${((pages * 60) / seconds).toFixed(0)} pages/min, ` +
        `peak memory ${(memory / 2 ** 20).toFixed(0)} MiB (child and browser, PSS), WACZ ${(bytes / 1e6).toFixed(1)} MB\n`,
    );
  }
} finally {
  await site.close();
}
