import type { Command } from 'commander';
import { OrgsQueries } from '../orgs/data/orgs.queries.js';
import type { CliContext } from './cli-context.js';
import { withApp } from './with-app.js';

/** Most orgs in a list, more than any deployment has. */
const MAX_ORGS = 100_000;

/** `org list`: id, slug and name of each org. */
export function registerOrg(program: Command, context: CliContext): void {
  const org = program.command('org').summary('list the orgs');
  org
    .command('list')
    .description('Lists orgs: id, slug, name, read-only.')
    .action(async () => {
      const orgs = await withApp(context, (app) => app.get(OrgsQueries).summaries({ everyOrg: true }, MAX_ORGS));
      for (const { _id, slug, name, readOnly } of orgs) {
        const state = readOnly ? '  read-only' : '';
        context.terminal.print(`${_id}  ${slug}  "${name}"${state}`);
      }
    });
}
