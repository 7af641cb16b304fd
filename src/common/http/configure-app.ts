import express, { type Express } from 'express';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AccessGuard } from '../access/access.guard.js';
import { BodyGuard } from '../access/body.guard.js';
import { ExceptionToDetail } from '../errors/exception.filter.js';
import { ContractPipe } from '../validation/contract.pipe.js';
import { InputIssues } from '../validation/input-issues.interceptor.js';
import { seconds } from '../units/durations.js';
import { OpenBodies } from './open-bodies.js';
import { asDeclared } from './browser-rules.js';
import { withPlainPath } from './plain-path.js';
import { mustRevalidate } from './revalidation.js';
import { openScope } from './request-scope.js';
import { RouteTable } from './route-table.js';
import { uncountedProxy } from './uncounted-proxy.js';

/**
 * Paths outside the `/api` prefix: probes, stored objects, the data transfer API of the field, which has a place of its
 * own, the built-in pages and the live-view sockets.
 */
export const OUTSIDE_API = [
  'healthz',
  'healthzStartup',
  'readyz',
  'data/{*key}',
  'wasapi/v1/webdata',
  'wasapi/v1/webdata/{*path}',
  '.well-known/{*path}',
  '',
  'replay/{*path}',
  'docs/api-assets/{*path}',
];

/** Paths are case-sensitive. This is set here because the router reads it once, before Nest hands the server over. */
export function newServer(): Express {
  const server = express();
  server.set('case sensitive routing', true);
  return server;
}

/** HTTP conventions of the whole service, set before `init()`. Contract: accounts §1. */
export function configureHttp(
  app: NestExpressApplication,
  { trustedProxyHops, bodySilenceSeconds }: { trustedProxyHops: number; bodySilenceSeconds: number },
): void {
  const server = app.getHttpAdapter().getInstance();
  const routes = app.get(RouteTable);
  const bodies = app.get(OpenBodies);
  app.set('query parser', 'simple');
  app.set('etag', 'weak');
  app.set('trust proxy', trustedProxyHops);
  app.disable('x-powered-by');
  server.use(openScope);
  if (trustedProxyHops === 0) server.use(uncountedProxy());
  bodies.begin(seconds(bodySilenceSeconds));
  server.use(bodies.watch);
  server.use(asDeclared);
  server.use(withPlainPath);
  server.use(routes.refuseImplicitMethods);
  server.use(mustRevalidate);
  app.setGlobalPrefix('api', { exclude: OUTSIDE_API });
  app.useGlobalGuards(app.get(BodyGuard), app.get(AccessGuard));
  app.useGlobalInterceptors(app.get(InputIssues));
  app.useGlobalPipes(app.get(ContractPipe));
  app.useGlobalFilters(app.get(ExceptionToDetail));
}

/** Orders the routes and remembers them; called after `init()`. */
export const adoptRoutes = (app: NestExpressApplication): void =>
  app.get(RouteTable).adopt(app.getHttpAdapter().getInstance());
