import { InvalidArgumentError, type Command } from 'commander';
import { BackupMaker } from '../backup/backup-maker.js';
import { BackupRefused, BackupTorn } from '../backup/backup.errors.js';
import { BackupVerifier } from '../backup/backup-verifier.js';
import { BackupTarget } from '../backup/target/backup-target.js';
import type { CliContext } from './cli-context.js';
import { rehearse } from './rehearsal.js';
import { signalled } from './signalled.js';
import { withApp } from './with-app.js';

/** Problems that are printed one by one. */
const MOST_SHOWN = 200;

interface Options {
  readonly keyFile?: string;
  readonly verify?: boolean;
  readonly at?: string;
  readonly scratch?: string;
  readonly name?: string;
}

const KEY_FILE = ['--key-file <file>', 'file with the key of the backups; BACKUP_KEY_FILE when absent'] as const;
const AT = ['--at <id>', 'the backup by its id; the newest when absent'] as const;

/** `backup` and its parts `list`, `verify` and `rehearse`. Exit code 1 when anything is wrong. */
export function registerBackup(program: Command, context: CliContext): void {
  const backup = program
    .command('backup')
    .summary('back the archive up while the service runs')
    .description(
      'Copies the database, as it is at one moment, and every stored object into a folder. A second backup in the same ' +
        'folder copies only new objects. docs/backup.md',
    )
    .argument('<target>', 'folder of the backups, on another disk than the data folder')
    .option(...KEY_FILE)
    .option('--no-verify', 'do not read everything again at the end')
    .action((target: string, options: Options) => telling(context, () => make(context, target, options)));
  backup
    .command('list')
    .description('Lists the backups in a folder. Needs neither a database nor a running service.')
    .argument('<target>', 'folder of the backups')
    .option(...KEY_FILE)
    .action((target: string, options: Options, command: Command) =>
      telling(context, () => list(context, target, merged(options, command))),
    );
  backup
    .command('verify')
    .description('Reads backups again and compares every byte with what was written. Needs no database.')
    .argument('<target>', 'folder of the backups')
    .option(...KEY_FILE)
    .option('--at <id>', 'one backup by its id; all of them when absent')
    .action((target: string, options: Options, command: Command) =>
      telling(context, () => verify(context, target, merged(options, command))),
    );
  backup
    .command('rehearse')
    .description(
      'Restores a backup into a database and a folder of its own, recounts it with `check`, and deletes both. Writes ' +
        'nothing else, whatever the storages are.',
    )
    .argument('<source>', 'folder of the backups')
    .option(...KEY_FILE)
    .option(...AT)
    .option(
      '--scratch <folder>',
      'folder for the restored objects; a folder in the system’s for temporary files when absent',
    )
    .option('--name <name>', 'name of both, which are deleted before as well; a random one when absent', scratchName)
    .action((source: string, options: Options, command: Command) =>
      telling(context, () => {
        const { keyFile, at, scratch, name } = merged(options, command);
        return rehearse(context, source, { keyFile: keyFileOf(context, keyFile), at: at ?? null, scratch, name });
      }),
    );
}

/** Commander gives an option that both have to the outer command. */
const merged = (options: Options, command: Command): Options => ({ ...options, ...command.optsWithGlobals<Options>() });

/** The file that is named, or that of the setting. */
export const keyFileOf = ({ variables }: CliContext, given: string | undefined): string | null =>
  given ?? (variables['BACKUP_KEY_FILE'] || null);

/** It becomes part of names of a folder and of a database. */
function scratchName(given: string): string {
  if (!/^[a-z0-9]{1,12}$/.test(given)) throw new InvalidArgumentError('It has up to 12 small letters and digits.');
  return given;
}

/** What was refused or torn is told in words; the exit code says so. @param work whether all is well */
export async function telling(context: CliContext, work: () => Promise<boolean>): Promise<void> {
  try {
    context.exitCode = (await work()) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof BackupRefused || error instanceof BackupTorn)) throw error;
    context.terminal.complain(error.message);
    context.exitCode = 1;
  }
}

async function make(
  context: CliContext,
  target: string,
  { keyFile, verify: verified = true }: Options,
): Promise<boolean> {
  const { terminal } = context;
  const tell = (line: string): void => terminal.print(line);
  const order = { target, keyFile: keyFileOf(context, keyFile), verify: verified, tell };
  const { manifest, copiedObjects, copiedBytes, problems } = await signalled((signal) =>
    withApp(context, (app) => app.get(BackupMaker, { strict: false }).make({ ...order, signal }), { lookOnly: true }),
  );
  for (const problem of problems.slice(0, MOST_SHOWN)) terminal.complain(problem);
  const documents = manifest.collections.reduce((sum, one) => sum + one.documents, 0);
  terminal.print(
    `${manifest.id}: ${String(documents)} documents and ${String(manifest.objects.count)} objects of ${manifest.taken}; ` +
      `${String(copiedObjects)} objects (${String(copiedBytes)} bytes) copied now${verified ? ', all read again' : ''}`,
  );
  if (problems.length > 0) terminal.complain(`${String(problems.length)} problems: the backup lacks what they name.`);
  return problems.length === 0;
}

async function list(context: CliContext, folder: string, { keyFile }: Options): Promise<boolean> {
  const target = await BackupTarget.open(folder, keyFileOf(context, keyFile));
  for (const id of await target.ids()) {
    const { taken, objects, program } = await target.manifest(id);
    const lacks = objects.problems > 0 ? `, ${String(objects.problems)} with problems` : '';
    context.terminal.print(`${id}  ${taken}  ${String(objects.count)} objects${lacks}  Muniment ${program}`);
  }
  return true;
}

async function verify(context: CliContext, folder: string, { keyFile, at }: Options): Promise<boolean> {
  const target = await BackupTarget.open(folder, keyFileOf(context, keyFile));
  const ids = at === undefined ? await target.ids() : [(await target.pick(at)).id];
  if (ids.length === 0) throw new BackupRefused(`${target.root} holds no backup that was completed`);
  const verifier = new BackupVerifier();
  const seen = new Set<string>();
  let torn = 0;
  for (const id of ids) {
    const before = torn;
    const problem = (text: string): void => {
      torn += 1;
      if (torn <= MOST_SHOWN) context.terminal.complain(`${id}: ${text}`);
    };
    try {
      const { files, objects, bytes } = await verifier.verify(target, await target.manifest(id), problem, seen);
      const state = torn === before ? 'whole' : 'TORN';
      context.terminal.print(
        `${state}  ${id}: ${String(files)} files and ${String(objects)} objects read, ${String(bytes)} bytes`,
      );
    } catch (error) {
      if (!(error instanceof BackupTorn)) throw error;
      problem(error.message);
    }
  }
  return torn === 0;
}
