import type { Command } from 'commander';
import { Clock } from '../common/clock/clock.js';
import { Fixity } from '../objects/fixity.js';
import type { CliContext } from './cli-context.js';
import { withApp } from './with-app.js';

/**
 * `fixity`: reads every recorded file again, replicas too, and compares size and SHA-256 with the record. Damaged and
 * missing files are repaired from a good copy. Changes nothing else. Exit code 1 when something is still wrong.
 */
export function registerFixity(program: Command, context: CliContext): void {
  program
    .command('fixity')
    .summary('read all files again, replicas too, and compare them with their records')
    .description('Compares size and SHA-256 of every file and replica with its record, and repairs from good copies.')
    .action(async () => {
      const isWell = await withApp(context, (app) => {
        const [fixity, clock] = [app.get(Fixity, { strict: false }), app.get(Clock, { strict: false })];
        return verify(fixity, clock, context);
      });
      context.exitCode = isWell ? 0 : 1;
    });
}

async function verify(fixity: Fixity, clock: Clock, { terminal }: CliContext): Promise<boolean> {
  let records = 0;
  let unwell = 0;
  for await (const { kind, id, result, copies } of fixity.verifySince(null, clock.timestamp())) {
    records += 1;
    if (result !== 'ok' && result !== 'repaired') unwell += 1;
    for (const copy of copies) {
      const line = `${copy.result.padEnd(11)} ${kind} ${id} ${copy.filename} in ${copy.storage}`;
      if (copy.result === 'repaired') terminal.print(line);
      else terminal.complain(line);
    }
  }
  terminal.print(`${records} records verified, ${unwell} with files that are damaged, missing or out of reach.`);
  return unwell === 0;
}
