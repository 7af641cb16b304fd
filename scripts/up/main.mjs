/** The order of a start; each step is in a module of its own. */
import { findChromium } from '../provision/chromium.mjs';
import { findMongod } from '../provision/mongod.mjs';
import { accepts, say } from '../provision/lib.mjs';
import { HELP, readArgs } from './args.mjs';
import { printBanner, setupLink } from './banner.mjs';
import { crawlOnce } from './crawl.mjs';
import { dbDir } from './database.mjs';
import { claimInstance, endOrphans, releaseInstance, runningInstance } from './instance.mjs';
import { canOffer, offerBrowser } from './offer.mjs';
import { ensureBuilt, ensureInstalled } from './prepare.mjs';
import { loadSecrets, saveSecrets } from './secrets.mjs';
import { Service } from './service.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** @param {string[]} argv without the program's own name @returns {Promise<number>} exit code */
export async function main(argv) {
  const options = readArgs(argv);
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const running = runningInstance(options.dataDir);
  if (running) return useRunning(options, running);
  await ensureInstalled();
  await ensureBuilt();
  const secrets = loadSecrets(options.dataDir);
  if (!claimInstance(options.dataDir)) return useRunning(options, runningInstance(options.dataDir) ?? { url: '' });
  try {
    return await serve(options, secrets);
  } finally {
    releaseInstance(options.dataDir);
  }
}

async function useRunning(options, { url }) {
  if (!options.crawl || !url) {
    say(
      `Muniment is already running on ${options.dataDir}${url ? ` at ${url}` : ''}. Stop it first, or give another --data-dir.`,
    );
    return 1;
  }
  const stopped = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => stopped.abort());
  try {
    return (await crawl(options, url, loadSecrets(options.dataDir), stopped.signal)) ? 0 : 1;
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
    say('The crawl goes on in the service that runs it.');
    return 130;
  }
}

async function serve(options, secrets) {
  const { host, port, dataDir } = options;
  const url = `http://${urlHost(host)}:${port}`;
  await endOrphans(dataDir, dbDir(dataDir), say);
  if (await accepts(port, connectHost(host)))
    throw new Error(`Port ${port} is taken by another program. Give another --port.`);
  const mongod = process.env.MONGO_DB_URL ? null : await findMongod();
  const chromium = await findChromium();
  const env = await serviceEnvironment(options, chromium);
  const service = new Service({ dataDir, url, mongod, secrets, env, log: say });
  const stopped = stopSignal(() => say('Stopping …'));
  try {
    await Promise.race([service.start(), stopped.promise]);
    if (stopped.signal.aborted) return 0;
    const login = superuser(secrets);
    printBanner({ url, dataDir, secrets, login });
    if (!options.crawl && canOffer()) offerBrowser(setupLink({ url, secrets, login }) ?? url, say);
    if (!secrets.superuserCreated) saveSecrets(dataDir, { ...secrets, superuserCreated: true });
    return await untilEnd(options, { url, secrets, service, stopped });
  } finally {
    await service.stop();
  }
}

/** Serves until a signal or a failure; with --crawl, crawls first. */
async function untilEnd(options, { url, secrets, service, stopped }) {
  const ends = [stopped.promise.then(() => 0), service.failed.then((error) => Promise.reject(error))];
  if (options.crawl) {
    const crawled = crawl(options, url, secrets, stopped.signal).then((done) => (done ? 0 : 1));
    const code = await Promise.race([crawled, ...ends]);
    if (options.exit || stopped.signal.aborted) return code;
    say('The service keeps running. Stop it with Ctrl-C.');
    await Promise.race(ends);
    return code;
  }
  return Promise.race(ends);
}

function crawl(options, url, secrets, signal) {
  return crawlOnce({ url, dataDir: options.dataDir, login: superuser(secrets), crawl: options.crawl, signal });
}

function superuser(secrets) {
  return {
    email: process.env.SUPERUSER_EMAIL || 'admin@example.com',
    password: process.env.SUPERUSER_PASSWORD || secrets.superuserPassword,
  };
}

/** The service reads its secrets from DATA_DIR itself. */
async function serviceEnvironment({ host, port, dataDir }, chromium) {
  const NODE_ENV = process.env.NODE_ENV ?? 'production';
  const REPLAY_PORT =
    process.env.REPLAY_PORT ?? (process.env.REPLAY_ORIGIN ? '0' : String(await replayPort(port, host)));
  return { NODE_ENV, HOST: host, PORT: String(port), REPLAY_PORT, DATA_DIR: dataDir, CHROMIUM_PATH: chromium };
}

/** Archives replay on a port of their own: the next one that is free. */
async function replayPort(port, host) {
  for (let next = port + 1; next < Math.min(port + 20, 65_536); next += 1)
    if (!(await accepts(next, connectHost(host)))) return next;
  return 0;
}

function stopSignal(onFirst) {
  const controller = new AbortController();
  const promise = new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (controller.signal.aborted) return; // npm passes on a Ctrl-C that we got already
        onFirst();
        controller.abort();
        resolve();
      });
    }
  });
  return { promise, signal: controller.signal };
}

/** An address to connect to: the "every address" ones are no such thing. */
function connectHost(host) {
  return { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
}

function urlHost(host) {
  const address = connectHost(host);
  return address.includes(':') ? `[${address}]` : address;
}
