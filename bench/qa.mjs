/**
 * Pages a minute of a quality check: the test site is crawled, then its archive is replayed and compared.
 * `npm run build && node bench/qa.mjs [windows...]` (default: 2)
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestSite } from '../scripts/test-site.mjs';
import { jobBase, runCrawler, summary } from './lib/crawler.mjs';

const PAGES = 51;
const args = process.argv.slice(2);
if (args.includes('--help')) {
  process.stdout.write(
    'node bench/qa.mjs [windows...]: pages/min of a quality check of two parts of the test site (default: 2)\n' +
      '  static: 51 plain pages; mixed: the front page and what it links to, with lazy pictures, video and frames\n',
  );
  process.exit(0);
}

const PARTS = [
  { name: 'static', config: (url) => ({ seeds: [{ url: `${url}/static/` }], scopeType: 'prefix', limit: PAGES }) },
  { name: 'mixed', config: (url) => ({ seeds: [{ url: `${url}/` }], scopeType: 'page', extraHops: 1 }) },
];

const folder = mkdtempSync(path.join(tmpdir(), 'muniment-bench-'));
const site = await startTestSite();
try {
  const crawls = [];
  for (const { name, config } of PARTS) {
    const dir = mkdtempSync(path.join(folder, 'crawl-'));
    const job = { ...jobBase(dir, 2), mode: 'crawl', jobId: 'manual-20260101000000-benchbench-0' };
    const { waczs } = await runCrawler({ ...job, config: config(site.url) });
    crawls.push({ name, waczs });
  }
  await site.close();
  const runs = args.map(Number).filter(Boolean);
  for (const windows of runs.length > 0 ? runs : [2])
    for (const { name, waczs } of crawls) {
      const dir = mkdtempSync(path.join(folder, 'qa-'));
      const sources = waczs.map((file) => ({ ...file, sizeBytes: statSync(file.path).size }));
      const job = { ...jobBase(dir, windows), mode: 'qa', jobId: 'qa-20260101000000-benchbench-0', config: {} };
      const seen = await runCrawler({ ...job, sources });
      const perfect = seen.comparisons.filter((c) => c.screenshotMatch > 0.99 && c.textMatch === 1).length;
      process.stdout.write(`${name}, ${perfect} of ${seen.pages} pages replay as they were; ${summary(seen, windows)}`);
    }
} finally {
  await site.close().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}
