import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { treeCpuSeconds } from './cpu.mjs';

const CRAWLER = fileURLToPath(new URL('../../dist/crawler/main.js', import.meta.url));

/** What every job of the embedded crawler is told. */
export const jobBase = (dir, windows) => ({
  dir,
  allowPrivate: true,
  windows,
  storageFilename: '@ts-@hostsuffix.wacz',
  warcPrefix: 'bench',
  rolloverBytes: 1e9,
  sessionSeconds: 0,
  diskUsePercent: 0,
  rateLimitThreshold: 5,
  requestWaitSeconds: 15,
  ...(process.env.CHROMIUM_PATH ? { chromiumPath: process.env.CHROMIUM_PATH } : {}),
});

/**
 * Runs a job to its end.
 * @param originals answers the crawler's questions for bodies that earlier items hold
 * @returns times in ms, counts, the comparisons of a quality check, and the paths of the WACZs
 */
export function runCrawler(config, originals = async () => []) {
  if (!existsSync(CRAWLER)) throw new Error('No build found: npm run build');
  return new Promise((resolve, reject) => {
    const child = fork(CRAWLER, [], {
      serialization: 'advanced',
      cwd: config.dir,
      env: { PATH: process.env.PATH, HOME: config.dir },
    });
    const seen = { pages: 0, memory: 0, started: 0, finished: 0, cpu: 0, bytes: 0, comparisons: [], waczs: [] };
    let cpuBefore = 0;
    const cpu = () => Object.values(treeCpuSeconds(child.pid)).reduce((sum, seconds) => sum + seconds, 0);
    child.on('message', (message) => {
      if (message.t === 'state' && message.status === 'running') {
        seen.started = performance.now();
        cpuBefore = cpu();
      }
      if (message.t === 'page' || message.t === 'qaPage') {
        seen.pages += 1;
        seen.finished = performance.now();
        seen.cpu = cpu() - cpuBefore;
      }
      if (message.t === 'askOriginals') {
        const answer = (found) => child.connected && child.send({ v: 1, t: 'originals', rid: message.rid, found });
        void originals(message.digests).then(answer);
      }
      if (message.t === 'qaPage') seen.comparisons.push(message.comparison);
      if (message.t === 'stats') seen.memory = Math.max(seen.memory, message.memoryBytes ?? 0);
      if (message.t !== 'wacz') return;
      seen.bytes += message.file.size;
      seen.waczs.push({ name: message.file.file, path: path.join(config.dir, 'out', message.file.file) });
      child.send({ v: 1, t: 'stored', file: message.file.file });
    });
    child.on('exit', (code) => {
      if (code === 0) resolve(seen);
      else reject(new Error(`the crawler ended with ${code}`));
    });
    child.send({ v: 1, t: 'start', resume: false, config });
  });
}

/** One line about a run. */
export function summary({ pages, started, finished, cpu, memory, bytes }, windows) {
  const seconds = (finished - started) / 1000;
  const rate = ((pages * 60) / seconds).toFixed(0);
  return (
    `${windows} windows: ${pages} pages in ${seconds.toFixed(1)} s = ${rate} pages/min, ` +
    `CPU ${((cpu / pages) * 1000).toFixed(0)} ms a page (${(cpu / seconds).toFixed(1)} cores), ` +
    `peak memory ${(memory / 2 ** 20).toFixed(0)} MiB (child and browser, PSS), WACZ ${(bytes / 1e6).toFixed(1)} MB\n`
  );
}
