import type { Command } from 'commander';
import { loadConfig } from '../config/load-config.js';
import { createApp } from '../create-app.js';
import { IndexSync } from '../database/index-sync.js';
import { MigrationPlan } from '../database/migration-plan.js';
import type { CliContext } from './cli-context.js';
import { withApp } from './with-app.js';

/**
 * `migrate`: the start-up steps (schema version, indexes, first administrator, default org) without serving. A
 * deployment of several processes can run them once before any process starts. It ends when all indexes are there.
 * Idempotent.
 */
export function registerMigrate(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .summary('prepare the database and end')
    .description('Runs the start-up steps on the database (version, indexes, first administrator) and ends.')
    .option('--plan', 'print what would be done, and do nothing')
    .action(async ({ plan = false }: { plan?: boolean }) => {
      if (plan) return printPlan(context);
      const app = await createApp(loadConfig(context.variables), { schedules: false });
      await app.get(IndexSync).settled();
      await app.close();
      context.terminal.print('The database is ready.');
    });
}

async function printPlan(context: CliContext): Promise<void> {
  const print = async (plan: MigrationPlan): Promise<void> => {
    for await (const line of plan.lines()) context.terminal.print(line);
  };
  await withApp(context, (app) => print(app.get(MigrationPlan, { strict: false })), { lookOnly: true });
}
