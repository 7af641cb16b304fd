import type { Command } from 'commander';
import { BackupRestorer } from '../backup/backup-restorer.js';
import { BackupTarget } from '../backup/target/backup-target.js';
import { checkArchive } from './archive-check.js';
import { keyFileOf, telling } from './backup.commands.js';
import type { CliContext } from './cli-context.js';
import { signalled } from './signalled.js';
import { withApp } from './with-app.js';

interface Options {
  readonly keyFile?: string;
  readonly verify?: boolean;
  readonly at?: string;
}

/** `restore`: puts a backup into an empty service and recounts it. Exit code 1 when anything is wrong. */
export function registerRestore(program: Command, context: CliContext): void {
  program
    .command('restore')
    .summary('put a backup into an empty service')
    .description(
      'Puts a backup into the database and the storages of the settings, which have to be empty, and recounts it. The ' +
        'service must not run meanwhile; the database has to, unless the data folder has one of its own. A restore that ' +
        'was interrupted is run again. docs/backup.md',
    )
    .argument('<source>', 'folder of the backups')
    .option('--key-file <file>', 'file with the key of the backups; BACKUP_KEY_FILE when absent')
    .option('--at <id>', 'the backup by its id; the newest when absent')
    .option('--no-verify', 'do not read all of the backup before anything is changed: it was verified just now')
    .action((source: string, options: Options) =>
      telling(context, () =>
        context.launcher.withDatabase((database) =>
          restore({ ...context, variables: { ...context.variables, ...database } }, source, options),
        ),
      ),
    );
}

async function restore(context: CliContext, source: string, { keyFile, at, verify = true }: Options): Promise<boolean> {
  const { terminal, variables } = context;
  const from = await BackupTarget.open(source, keyFileOf(context, keyFile));
  const manifest = await from.pick(at ?? null);
  terminal.print(`${manifest.id}, of ${manifest.taken}`);
  const order = {
    ...{ from, manifest, verify },
    // A secret that is given is in use, whatever is in the data folder.
    secrets: variables['PASSWORD_SECRET'] ? ('tell' as const) : ('place' as const),
    tell: (line: string) => terminal.print(line),
  };
  const { missing } = await signalled((signal) =>
    withApp(context, (app) => app.get(BackupRestorer, { strict: false }).restore({ ...order, signal }), {
      lookOnly: true,
    }),
  );
  try {
    terminal.print(`checked: ${await checkArchive(context)}`);
  } catch (error) {
    terminal.complain(`The restored archive does not agree with itself: ${(error as Error).message}`);
    return false;
  }
  if (missing > 0) terminal.complain(`${String(missing)} objects were not in the backup.`);
  return missing === 0;
}
