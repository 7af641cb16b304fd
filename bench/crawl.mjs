/**
 * Pages a minute, CPU and peak memory of the embedded crawler on the 50-page static test site.
 * `npm run build && node bench/crawl.mjs [windows...]` (default: 1, 2 and 4)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestSite } from '../scripts/test-site.mjs';
import { jobBase, runCrawler, summary } from './lib/crawler.mjs';

const PAGES = 51;
const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(
    'node bench/crawl.mjs [windows...]: pages/min of a crawl and memory of a crawl of the static test site (default: 1 2 4)\n',
  );
  process.exit(0);
}

const site = await startTestSite();
try {
  const asked = args.map(Number).filter(Boolean);
  const runs = [];
  for (const windows of asked.length > 0 ? asked : [1, 2, 4]) {
    const dir = mkdtempSync(path.join(tmpdir(), 'muniment-bench-'));
    const seen = await runCrawler({
      ...jobBase(dir, windows),
      mode: 'crawl',
      jobId: 'manual-20260101000000-benchbench-0',
      config: { seeds: [{ url: `${site.url}/static/` }], scopeType: 'prefix', limit: PAGES },
    }).finally(() => rmSync(dir, { recursive: true, force: true }));
    process.stdout.write(summary(seen, windows));
    runs.push({ windows, memory: seen.memory });
  }
  const [few, many] = [runs[0], runs.at(-1)];
  if (many.windows > few.windows) {
    const perWindow = (many.memory - few.memory) / (many.windows - few.windows) / 2 ** 20;
    process.stdout.write(`each further window takes ${perWindow.toFixed(0)} MiB\n`);
  }
} finally {
  await site.close();
}
