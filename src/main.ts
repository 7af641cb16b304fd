import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { AppConfig } from './config/app-config.js';
import { ConfigProblem, loadConfig } from './config/load-config.js';
import { openReplayPort } from './console/replay-port.js';
import { createApp } from './create-app.js';
import { forgetStart } from './forget-start.js';
import { Draining } from './health/draining.js';
import { Links } from './links/links.js';

async function main(): Promise<void> {
  let config: AppConfig;
  try {
    config = loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  const app = await createApp(config);
  let replay: Server | null = null;
  const leaveBy = async (signal: NodeJS.Signals): Promise<void> => {
    await end(app, config, () => replay?.close());
    process.kill(process.pid, signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void leaveBy(signal));
  replay = await openReplayPort(app, config.http);
  await app.listen(config.http.port, config.http.host);
  forgetStart();
  new Logger('links').log({ event: 'links_lead_to', origin: app.get(Links).settled(), setting: 'APP_ORIGIN' });
}

/** Answers until the load balancer has forgotten this process, then ends the service in order. */
async function end(app: NestExpressApplication, { http }: AppConfig, closeReplay: () => void): Promise<void> {
  const draining = app.get(Draining);
  // Ctrl-C reaches this process and its starter, which then sends a signal too.
  if (draining.isLeaving) return;
  draining.begin();
  await delay(http.shutdownDelaySeconds * 1000);
  closeReplay();
  await app.close();
}

main().catch((error: unknown) => {
  process.stderr.write(`Start-up failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
