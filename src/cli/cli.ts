import { Command, CommanderError } from 'commander';
import { registerBackup } from './backup.commands.js';
import { registerCheck } from './check.command.js';
import type { CliContext } from './cli-context.js';
import { registerMail } from './mail.commands.js';
import { registerKeys } from './keys.commands.js';
import { registerFixity } from './fixity.command.js';
import { registerMigrate } from './migrate.command.js';
import { registerOpenapi } from './openapi.command.js';
import { registerRestore } from './restore.command.js';
import { registerOrg } from './org.commands.js';
import { registerStart } from './start.commands.js';
import { registerUser } from './user.commands.js';

/** Runs one command line. @returns the exit code: 0 done, 1 failed, 2 wrong usage */
export async function runCli(argv: readonly string[], context: CliContext): Promise<number> {
  const program = new Command('muniment')
    .description('Crawls web sites with a real browser and keeps them as replayable archives.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.terminal.print(text.trimEnd()),
      writeErr: (text) => context.terminal.complain(text.trimEnd()),
    });
  registerStart(program, context);
  registerCheck(program, context);
  registerFixity(program, context);
  registerKeys(program, context);
  registerBackup(program, context);
  registerRestore(program, context);
  registerMigrate(program, context);
  registerUser(program, context);
  registerOrg(program, context);
  registerMail(program, context);
  registerOpenapi(program, context);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}
