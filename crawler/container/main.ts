import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { errorText } from '../base/time.js';
import { readContainerStart, UnusableArguments, type ContainerStart } from './container-start.js';
import { readBrowserStart } from './browser-start.js';
import type { CrawlerProgram } from './crawler-process.js';
import { Instance } from './instance.js';
import { ProfileBrowser } from './profile-browser.js';
import { serveProfileBrowser } from './profile-server.js';
import { ScreencastServer } from './screencast-server.js';

/**
 * Entry point of the crawler as a container of the official image: same command line, environment, ports, Redis
 * protocol and exit codes (spec crawling §14.2–14.8). Instances of a crawl share its queue; the first does a check.
 */
const USAGE = `Usage: crawl|qa --config FILE --workers N --redisStoreUrl redis://HOST:PORT/DB [options]
       create-login-profile --url URL [--profile @KEY] [--proxyServer URL] [--shutdownWait SECONDS]

The first runs one crawl or QA instance and reports to Redis and S3 as the official crawler image does.
Needs CRAWL_ID, HOSTNAME, WEBHOOK_URL, STORE_ENDPOINT_URL, STORE_ACCESS_KEY and STORE_SECRET_KEY.
Optional: CRAWL_ARGS, QA_ARGS, STORE_PATH, STORE_FILENAME, STORE_USER, STORE_REGION, WARC_PREFIX,
CRAWLS_DIR (/crawls), BIND_HOST (0.0.0.0), CHROMIUM_PATH, ALLOW_PRIVATE_ADDRESSES=crawls,
CRAWL_ALLOWED_ADDRESSES (10.1.0.0/16,10.2.0.1), CRAWLER_REQUEST_WAIT_SECONDS (15),
BROWSER_SANDBOX=off (where the container forbids Chromium's own).
`;

/** The port of the official image. */
const BROWSER_PORT = 9223;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(argv: string[]): Promise<number> {
  if (argv.includes('--help') || argv.length === 0) {
    process.stdout.write(USAGE);
    return argv.length === 0 ? 2 : 0;
  }
  const entry = process.env['CRAWLER_ENTRY'] ?? fileURLToPath(new URL('../main.js', import.meta.url));
  const sandbox = process.env['BROWSER_SANDBOX'] ?? 'on';
  const program = { entry, searchPath: process.env['PATH'] ?? '', sandbox };
  if (argv[0] === 'create-login-profile') return showBrowser(argv.slice(1), program);
  const given = await readContainerStart(argv, process.env);
  const instance = new Instance(given, program, say);
  const close = serve(given, instance);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => instance.signal());
  try {
    return await instance.run();
  } finally {
    close();
  }
}

async function showBrowser(options: string[], program: CrawlerProgram): Promise<number> {
  const browser = new ProfileBrowser(readBrowserStart(options, process.env), program, say);
  const server = serveProfileBrowser(browser);
  server.on('error', (error) => {
    say(errorText(error));
    browser.end();
  });
  server.listen(BROWSER_PORT, process.env['BIND_HOST'] ?? '0.0.0.0');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => browser.end());
  return browser.run();
}

/** Serves the health check and the live view. */
function serve(given: ContainerStart, instance: Instance): () => void {
  const host = process.env['BIND_HOST'] ?? '0.0.0.0';
  const health = createServer((_request, response) => {
    response.statusCode = instance.isHealthy ? 200 : 503;
    response.end();
  });
  const screencast = createServer((_request, response) => {
    response.statusCode = 404;
    response.end();
  });
  const first = given.index * instance.windows;
  instance.cast = new ScreencastServer(
    screencast,
    first,
    () => instance.windows,
    (on) => instance.setCast(on),
  );
  for (const [server, port] of [
    [health, given.healthPort],
    [screencast, given.screencastPort],
  ] as const) {
    server.on('error', (error) => say(errorText(error)));
    if (port > 0) server.listen(port, host);
  }
  return () => {
    for (const server of [health, screencast]) {
      server.close();
      server.closeAllConnections();
    }
  };
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  say(errorText(error));
  process.exit(error instanceof UnusableArguments ? 17 : 1);
}
