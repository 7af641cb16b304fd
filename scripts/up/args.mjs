import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../provision/lib.mjs';

export const HELP = `Starts Muniment: the database, the service, and whatever they need.

  npm run up -- [options]

  --port N         port of the service (default: PORT, else 8000)
  --host ADDRESS   address it listens on (default: HOST, else 127.0.0.1: this machine only)
  --data-dir DIR   where everything is kept (default: DATA_DIR, else ./data)
  --help           shows this text

Crawl one site in one go; the service is started if it isn't running:

  npm run up -- --crawl https://example.com/ --limit 20

  --crawl URL      the page to start from
  --scope TYPE     page, page-spa, prefix (default), host, domain or any
  --limit N        at most N pages (default: no limit)
  --windows N      browser windows to use at the same time
  --exit           ends the service after the crawl, if it was started for it

Environment: see the table of settings in README.md. Stop with Ctrl-C.
`;

export const SCOPES = ['page', 'page-spa', 'prefix', 'host', 'domain', 'any'];

/** What the user typed cannot be carried out. */
export class UsageError extends Error {}

/**
 * Reads the command line; what it leaves out comes from the environment, then from the defaults.
 * @returns {{help: boolean, port: number, host: string, dataDir: string, exit: boolean,
 *   crawl: null | {url: string, scope: string, limit: number, windows: number | null}}}
 * @throws {UsageError} naming the argument that is wrong
 */
export function readArgs(argv, env = process.env) {
  const values = parse(argv);
  const port = wholeNumber('--port', values.port ?? env.PORT ?? '8000', 65_535);
  const host = values.host ?? env.HOST ?? '127.0.0.1';
  const dataDir = path.resolve(values['data-dir'] ?? env.DATA_DIR ?? path.join(ROOT, 'data'));
  return { help: values.help, port, host, dataDir, exit: values.exit, crawl: readCrawl(values) };
}

function parse(argv) {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  const options = { port: text, host: text, 'data-dir': text, crawl: text, scope: text, limit: text, windows: text };
  try {
    return parseArgs({ args: argv, options: { ...options, help: { ...flag, short: 'h' }, exit: flag } }).values;
  } catch (error) {
    throw new UsageError(error.message.split('. ')[0]);
  }
}

function readCrawl({ crawl, scope, limit, windows, exit }) {
  if (crawl === undefined) {
    if (scope ?? limit ?? windows ?? (exit || undefined)) {
      throw new UsageError('--scope, --limit, --windows and --exit go with --crawl URL');
    }
    return null;
  }
  if (scope !== undefined && !SCOPES.includes(scope)) throw new UsageError(`--scope is one of ${SCOPES.join(', ')}`);
  return {
    url: webAddress(crawl),
    scope: scope ?? 'prefix',
    limit: limit === undefined ? 0 : wholeNumber('--limit', limit, 1_000_000_000),
    windows: windows === undefined ? null : wholeNumber('--windows', windows, 1_000),
  };
}

function webAddress(text) {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`--crawl: ${text} is not a web address`);
  return url.href;
}

function wholeNumber(name, text, max) {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < 1 || number > max) {
    throw new UsageError(`${name} is a whole number from 1 to ${max}, not ${JSON.stringify(text)}`);
  }
  return number;
}
