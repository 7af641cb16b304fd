/**
 * What asking for originals costs a crawl, and what it saves: pages a minute, CPU and bytes on the 50-page static test
 * site without questions, with an index that knows nothing and with one that knows an earlier crawl of the site.
 * `npm run build && node bench/dedupe-crawl.mjs [rounds]` (default: 3; the ways take turns in each)
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestSite } from '../scripts/test-site.mjs';
import { jobBase, runCrawler } from './lib/crawler.mjs';

const PAGES = 51;
const WINDOWS = 2;
/** Time that an index takes for an answer, ms; looked up in MongoDB, 32 digests take about 4. */
const ANSWER_MS = 4;
const rounds = Number(process.argv[2]) || 3;

/** The originals in the index that the crawler itself keeps, by digest. */
function originalsOf(dir, wacz) {
  const lines = readFileSync(path.join(dir, 'cdx.jsonl'), 'utf8').trim().split('\n');
  const known = new Map();
  for (const line of lines) {
    const { fields, date } = JSON.parse(line);
    if (fields.status !== '200' || fields.mime === 'warc/revisit' || fields.url.startsWith('urn:')) continue;
    const { digest, url, length } = fields;
    known.set(digest, { digest, url, date, size: Number(length), itemId: 'first', wacz });
  }
  return known;
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

const site = await startTestSite();
const known = new Map();
async function crawl(jobId, changes = {}, originals) {
  const dir = mkdtempSync(path.join(tmpdir(), 'muniment-bench-'));
  try {
    const config = { seeds: [{ url: `${site.url}/static/` }], scopeType: 'prefix', limit: PAGES };
    const seen = await runCrawler({ ...jobBase(dir, WINDOWS), mode: 'crawl', jobId, config, ...changes }, originals);
    if (known.size === 0) {
      const [{ name, path: file }] = seen.waczs;
      const bytes = readFileSync(file);
      const hash = createHash('sha256').update(bytes).digest('hex');
      for (const [digest, original] of originalsOf(dir, { name, hash, size: bytes.length }))
        known.set(digest, original);
    }
    return seen;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const answering = (find) => async (digests) => {
  await delay(ANSWER_MS);
  return digests.flatMap(find);
};
const WAYS = {
  'asks nobody': [{}, undefined],
  'nothing known': [{ asksOriginals: true }, answering(() => [])],
  'all known': [{ asksOriginals: true }, answering((digest) => known.get(digest) ?? [])],
};

try {
  await crawl('manual-20260101000000-benchfirst-0');
  const runs = Object.fromEntries(Object.keys(WAYS).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const names = Object.keys(WAYS);
    // Each way goes first once, since the machine may get busier.
    for (const name of [...names.slice(round % 3), ...names.slice(0, round % 3)])
      runs[name].push(await crawl('manual-20260108000000-benchagain-0', ...WAYS[name]));
  }
  const [plain] = Object.values(runs);
  const ms = ({ started, finished, pages }) => (finished - started) / pages;
  const cpu = (run) => (run.cpu / run.pages) * 1000;
  for (const [name, seen] of Object.entries(runs)) {
    const against = (of) => `${((median(seen.map(of)) / median(plain.map(of)) - 1) * 100).toFixed(1)} %`;
    process.stdout.write(
      `${name}: ${median(seen.map(ms)).toFixed(0)} ms a page (${against(ms)}; ${seen.map((run) => ms(run).toFixed(0)).join(', ')}), ` +
        `CPU ${median(seen.map(cpu)).toFixed(0)} ms a page (${against(cpu)}; ${seen.map((run) => cpu(run).toFixed(0)).join(', ')}), ` +
        `WACZ ${(median(seen.map(({ bytes }) => bytes)) / 1e6).toFixed(2)} MB\n`,
    );
  }
} finally {
  await site.close();
}
