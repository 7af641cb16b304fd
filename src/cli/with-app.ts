import type { INestApplicationContext } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { loadConfig } from '../config/load-config.js';
import { createApp } from '../create-app.js';
import type { CliContext } from './cli-context.js';

/**
 * Runs a command on the service's own services, beside a service that runs or without one. Workers and schedules stay
 * off. So does the crawl driver, because a data folder has only one process for it. The log shows errors only, so that
 * the output is the command's. `lookOnly`: the database stays as it is, even if no service has used it.
 */
export async function withApp<T>(
  context: CliContext,
  work: (app: INestApplicationContext) => Promise<T>,
  { lookOnly = false } = {},
): Promise<T> {
  const app = await createApp(loadConfig({ ...context.variables, CRAWL_DRIVER: 'fake', LOG_LEVEL: 'error' }), {
    schedules: false,
    lookOnly,
  });
  app.get(AuditTrail).actAsCommandLine();
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
