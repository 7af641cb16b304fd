import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { Application } from 'express';
import { endUnusedOnClose } from '../common/http/unused-connections.js';
import type { AppConfig } from '../config/app-config.js';

/**
 * Listens on REPLAY_PORT beside the port of the API: another origin at no cost. `onlyReplay` decides what is answered
 * there. @returns null when no such port is set
 */
export async function openReplayPort(
  app: INestApplication,
  { replayPort, host }: AppConfig['http'],
): Promise<Server | null> {
  if (replayPort === 0) return null;
  const server = createServer(app.getHttpAdapter().getInstance() as Application);
  endUnusedOnClose(server);
  server.listen(replayPort, host);
  await once(server, 'listening');
  return server;
}
