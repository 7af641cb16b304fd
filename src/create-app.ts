import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type AppOptions } from './app.module.js';
import { adoptRoutes, configureHttp, newServer } from './common/http/configure-app.js';
import { JsonLogger } from './common/http/json-logger.js';
import { endUnusedOnClose } from './common/http/unused-connections.js';
import type { AppConfig } from './config/app-config.js';
import { publicHead } from './console/public-head.js';
import { onlyReplay } from './console/replay-origin.js';
import { serveConsole } from './console/serve-console.js';
import { serveDocs } from './console/serve-docs.js';
import { serveWeb } from './console/serve-web.js';
import { Startup } from './database/startup.js';
import { Draining } from './health/draining.js';
import { Metrics } from './health/metrics.js';

const KEEP_ALIVE_MS = 75_000;

/** Builds the service with its start-up steps done, but not yet listening. `main.ts`, the CLI and the tests use it. */
export async function createApp(config: AppConfig, options: AppOptions = {}): Promise<NestExpressApplication> {
  const adapter = new ExpressAdapter(newServer());
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config, options), adapter, {
    bodyParser: false,
    logger: new JsonLogger(config.log),
    abortOnError: false,
  });
  // Node's limit of five minutes for a whole request would cut off every large upload. `OpenBodies` ends bodies that
  // fall silent, and the server's own limit ends slow headers.
  const server = app.getHttpServer() as Server;
  server.requestTimeout = 0;
  // Longer than load balancers keep an idle connection, so that none is closed while a request is on its way.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  endUnusedOnClose(server);
  app.use(onlyReplay(config.http));
  app.use(app.get(Draining).tellClients);
  configureHttp(app, config.http);
  app.get(Metrics).observeOn(app.getHttpAdapter().getInstance());
  serveDocs(app);
  serveWeb(app.getHttpAdapter().getInstance(), config.http, publicHead(app));
  serveConsole(app.getHttpAdapter().getInstance(), config.http);
  if (options.lookOnly) app.get(Startup).leaveOut();
  try {
    await app.init();
  } catch (error) {
    // Open connections would keep the process alive. The reason for the failed start matters more than a failed end.
    await app.close().catch(() => undefined);
    throw error;
  }
  adoptRoutes(app);
  return app;
}
