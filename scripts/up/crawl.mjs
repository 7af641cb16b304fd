/** `--crawl URL`: one crawl through the REST API, from log-in to the link that replays it. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from './client.mjs';
import { ProgressLine } from './progress.mjs';

const POLL_MS = 1_000;
/** The service restarts within this after a crash; a crawl goes on through it. */
const OUTAGE_MS = 120_000;
/** Contract: crawling §2, the successful end states. */
const SUCCESSFUL = /^(complete|stopped_.+)$/;
/** Contract: crawling §2, the other end states. */
const FAILED = /^(canceled|failed|failed_not_logged_in|skipped_.+)$/;

/**
 * Creates a workflow, runs it and waits for its end.
 * @param {object} options
 * @param {string} options.url of the service
 * @param {string} options.dataDir
 * @param {{email: string, password: string}} options.login
 * @param {{url: string, scope: string, limit: number, windows: number | null}} options.crawl
 * @param {AbortSignal} options.signal stops the waiting; the crawl itself goes on
 * @returns {Promise<boolean>} whether the crawl ended well
 */
export async function crawlOnce({ url, dataDir, login, crawl, signal }) {
  const api = new ApiClient(url);
  await api.login(login);
  const oid = await defaultOrg(api);
  const crawlId = await startCrawl(api, oid, crawl);
  process.stdout.write(`Crawling ${crawl.url} (crawl ${crawlId})\n`);
  const state = await follow(api, `/api/orgs/${oid}/crawls/${crawlId}`, signal);
  if (!SUCCESSFUL.test(state)) {
    process.stdout.write(`The crawl ended as ${state}.\n`);
    for (const line of await errorLines(api, oid, crawlId)) process.stdout.write(`  ${line}\n`);
    return false;
  }
  await report(api, { oid, crawlId, state, dataDir });
  return true;
}

async function defaultOrg(api) {
  const { items } = await api.get('/api/orgs');
  const org = items.find((each) => each.default) ?? items[0];
  if (!org) throw new Error('This account belongs to no organization.');
  return org.id;
}

async function startCrawl(api, oid, { url, scope, limit, windows }) {
  const workflow = {
    name: new URL(url).hostname,
    config: { seeds: [{ url }], scopeType: scope, limit },
    runNow: true,
    ...(windows !== null && { browserWindows: windows }),
  };
  const created = await api.post(`/api/orgs/${oid}/crawlconfigs/`, workflow);
  if (!created.run_now_job)
    throw new Error(`The crawl could not be started: ${created.errorDetail ?? 'no reason given'}`);
  return created.run_now_job;
}

async function follow(api, crawlPath, signal) {
  const progress = new ProgressLine(process.stdout);
  let lastAnswer = performance.now();
  try {
    for (;;) {
      try {
        const crawl = await api.get(crawlPath);
        lastAnswer = performance.now();
        const { found = 0, done = 0, size = 0 } = crawl.stats ?? {};
        const ended = SUCCESSFUL.test(crawl.state) || FAILED.test(crawl.state);
        progress.show({ state: crawl.state, found, done, sizeBytes: ended ? crawl.fileSize || size : size });
        if (ended) return crawl.state;
      } catch (error) {
        if (!error.isOutage || performance.now() - lastAnswer > OUTAGE_MS) throw error;
      }
      await delay(POLL_MS, undefined, { signal });
    }
  } finally {
    progress.end();
  }
}

async function errorLines(api, oid, crawlId) {
  const { items } = await api.get(`/api/orgs/${oid}/crawls/${crawlId}/errors?pageSize=5`);
  return items.map(({ message, details }) => {
    const page = details?.page ?? details?.url;
    const reason = details?.msg ?? details?.message;
    return [message, page, reason].filter((part) => typeof part === 'string' && part).join(' · ');
  });
}

async function report(api, { oid, crawlId, state, dataDir }) {
  const { resources, pageCount } = await api.get(`/api/orgs/${oid}/crawls/${crawlId}/replay.json`);
  const lines = [`Done: ${pageCount} pages (${state}).`];
  for (const file of resources) {
    lines.push(`WACZ:   ${storedFile(dataDir, oid, file.name) ?? new URL(file.path, api.url).href}`);
  }
  lines.push(`Replay: ${api.url}/replay/?oid=${oid}&crawl=${crawlId}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The file on this disk, when the service stores files here. */
function storedFile(dataDir, oid, name) {
  const folder = path.join(dataDir, 'storage');
  if (!existsSync(folder)) return null;
  const wanted = path.join(oid, name);
  const hit = readdirSync(folder, { recursive: true }).find((file) => file === name || file.endsWith(wanted));
  const byName = hit ?? readdirSync(folder, { recursive: true }).find((file) => path.basename(file) === name);
  return byName ? path.join(folder, byName) : null;
}
