import { EXIT_CODES, EXIT_STATUS, type CrawlerConfig, type ExitReason, type ToChild } from './protocol.js';
import { errorText, settled } from './base/time.js';
import { IpcChannel } from './channel/ipc-channel.js';
import { Logger } from './channel/logger.js';
import { BrowserNotFound } from './browser/executable.js';
import { CrawlRun } from './crawl/crawl-run.js';
import { ProfileSession } from './profile/profile-session.js';
import { ReplayRun } from './qa/replay-run.js';
import { isStorageFull } from './base/synced-file.js';
import { InvalidPattern, InvalidSeed } from './scope/scope.js';
import { onUnhandledRejection } from './unhandled.js';

/** Longest time to finish after a disconnect or a cancel, ms. */
const LAST_MOMENT_MS = 4_500;

type Start = Extract<ToChild, { t: 'start' }>;

/** A run of any mode. */
interface Job {
  handle(message: ToChild): void;
  disconnected(): void;
}

/** Keeps messages that arrive while the run is still opening. */
class Inbox {
  private run: Job | null = null;
  private readonly kept: ToChild[] = [];
  private gone = false;

  deliver(message: ToChild): void {
    if (message.t === 'cancel') exitSoon('canceled');
    if (this.run) this.run.handle(message);
    else this.kept.push(message);
  }

  disconnected(): void {
    this.gone = true;
    exitSoon('disconnected');
    this.run?.disconnected();
  }

  attach(run: Job): void {
    this.run = run;
    for (const message of this.kept.splice(0)) run.handle(message);
    if (this.gone) run.disconnected();
  }
}

function exitSoon(reason: ExitReason): void {
  setTimeout(() => process.exit(EXIT_CODES[reason]), LAST_MOMENT_MS).unref();
}

async function main(): Promise<void> {
  const channel = new IpcChannel();
  const inbox = new Inbox();
  // The listener is there from the first moment, because a pause or cancel may follow the start at once.
  const start = await new Promise<Start | null>((resolve) => {
    channel.onMessage((message) => {
      if (message.t === 'start') resolve(message);
      else inbox.deliver(message);
    });
    channel.onDisconnect(() => {
      resolve(null);
      inbox.disconnected();
    });
  });
  if (!start) process.exit(EXIT_CODES.disconnected);
  await channel.openJournal(start.config.dir);
  const logger = new Logger(channel);
  onUnhandledRejection(logger, (error) => void crash(error, { channel, logger }));
  const { reason, failReason } = await perform(start, { channel, logger, inbox });
  channel.send({ t: 'state', status: EXIT_STATUS[reason] });
  channel.send({ t: 'exit', reason, ...(failReason ? { failReason } : {}) });
  await channel.sync();
  await channel.close();
  process.exit(EXIT_CODES[reason]);
}

/** Exits at once as a crash. The driver starts another process, which continues from the data on disk. */
async function crash(error: unknown, { channel, logger }: Pick<Services, 'channel' | 'logger'>): Promise<void> {
  const reason = isStorageFull(error) ? 'out_of_space' : 'error';
  process.stderr.write(
    `unhandled rejection: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  logger.log('fatal', 'general', 'Crawler failed', { error: errorText(error) });
  channel.send({ t: 'exit', reason });
  await settled(Promise.allSettled([channel.sync(), logger.close()]), LAST_MOMENT_MS);
  process.exit(EXIT_CODES[reason]);
}

interface Services {
  readonly channel: IpcChannel;
  readonly logger: Logger;
  readonly inbox: Inbox;
}

async function perform(start: Start, services: Services): Promise<{ reason: ExitReason; failReason?: string }> {
  const { logger } = services;
  try {
    return await runMode(start, services);
  } catch (error) {
    const refused = error instanceof InvalidSeed || error instanceof InvalidPattern || error instanceof BrowserNotFound;
    logger.log('fatal', 'general', refused ? 'Config refused' : 'Crawler failed', { error: errorText(error) });
    return { reason: refused ? 'config_refused' : 'error' };
  }
}

async function runMode(
  start: Start,
  { channel, logger, inbox }: Services,
): Promise<{ reason: ExitReason; failReason?: string }> {
  const environment = {
    searchPath: process.env['PATH'] ?? '',
    programs: Object.fromEntries(
      ['PATH', 'GIT_SSL_CAINFO', 'GIT_SSL_CAPATH'].flatMap((name) =>
        process.env[name] ? [[name, process.env[name]]] : [],
      ),
    ) as Record<string, string>,
    // The sandbox can't run as root. A container that forbids user namespaces has to isolate the browser in its place.
    sandbox: process.getuid?.() !== 0 && process.env['BROWSER_SANDBOX'] !== 'off',
  };
  const config: CrawlerConfig = start.config;
  switch (config.mode) {
    case 'crawl': {
      const run = await CrawlRun.open(config, channel, logger, environment);
      inbox.attach(run);
      return start.packageOnly ? { reason: await run.packOnly(start.packageOnly) } : await run.run();
    }
    case 'qa': {
      const run = await ReplayRun.open(config, channel, logger, environment);
      inbox.attach(run);
      return start.packageOnly ? { reason: await run.packOnly(start.packageOnly) } : await run.run();
    }
    case 'profile': {
      const run = new ProfileSession(config, channel, logger, environment);
      inbox.attach(run);
      return run.run();
    }
  }
}

await main();
