import { Command, CommanderError } from 'commander';
import { registerCheck } from './check.command.js';
import { registerMail } from './mail.commands.js';
import { registerFixity } from './fixity.command.js';
import { registerMigrate } from './migrate.command.js';
import { registerOrg } from './org.commands.js';
import { registerStart } from './start.commands.js';
import { registerUser } from './user.commands.js';

/** What the plain-JavaScript starter lends to the commands; `bin/muniment.mjs` fills it in. */
export interface Launcher {
  /** `npm run up -- …args`; resolves with the exit code when the service has ended. */
  up(args: readonly string[]): Promise<number>;
  /** Chromium or Chrome of this machine, or null; installs nothing. */
  chromiumOnThisMachine(): string | null;
}

/** Where a command writes, so that tests can read it. */
export interface Terminal {
  print(line: string): void;
  complain(line: string): void;
}

export interface CliContext {
  readonly launcher: Launcher;
  readonly terminal: Terminal;
  /** The environment that settings are read from. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A command that has failed says why by `complain` and sets this. */
  exitCode: number;
}

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
  registerMigrate(program, context);
  registerUser(program, context);
  registerOrg(program, context);
  registerMail(program, context);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}
