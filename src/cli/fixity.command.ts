import type { Command } from 'commander';
import { loadConfig } from '../config/load-config.js';
import { createApp } from '../create-app.js';
import { Fixity } from '../items/fixity.js';
import type { CliContext } from './cli-context.js';

/**
 * `fixity`: reads every archived file again and compares size and SHA-256 with its record; damaged and missing ones are
 * repaired from a good copy. Changes nothing else. Exit code 1 when something is still wrong.
 */
export function registerFixity(program: Command, context: CliContext): void {
  program
    .command('fixity')
    .summary('read all archived files again and compare them with their records')
    .description('Compares size and SHA-256 of every archived file with its record, and repairs from copies.')
    .action(async () => {
      const app = await createApp(loadConfig(context.variables), { schedules: false });
      try {
        context.exitCode = (await verify(app.get(Fixity, { strict: false }), context)) ? 0 : 1;
      } finally {
        await app.close();
      }
    });
}

async function verify(fixity: Fixity, { terminal }: CliContext): Promise<boolean> {
  let items = 0;
  let unwell = 0;
  for await (const { itemId, result, files } of fixity.verifyAll()) {
    items += 1;
    if (result !== 'ok' && result !== 'repaired') unwell += 1;
    for (const file of files) {
      const line = `${file.result.padEnd(11)} ${itemId} ${file.filename}`;
      if (file.result === 'repaired') terminal.print(line);
      else terminal.complain(line);
    }
  }
  terminal.print(`${items} items verified, ${unwell} with files that are damaged, missing or out of reach.`);
  return unwell === 0;
}
