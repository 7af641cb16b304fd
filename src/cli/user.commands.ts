import type { Command } from 'commander';
import { DomainError } from '../common/errors/domain-error.js';
import { parseEmail } from '../common/validation/email.js';
import { AccountAdmin, type NewAccount } from '../auth/account-admin.js';
import { Rescue } from '../auth/factors/rescue.js';
import { Mails } from '../mail/mails.js';
import type { CliContext } from './cli-context.js';
import { withApp } from './with-app.js';

const ROLES: Record<string, number> = { viewer: 10, crawler: 20, owner: 40 };

interface CreateOptions {
  readonly name?: string;
  readonly password?: string;
  readonly org?: string;
  readonly role: string;
  readonly superuser?: boolean;
}

/** `user create|reset-password|remove-second-factor|list`: accounts without the API, for the administrator of the machine. */
export function registerUser(program: Command, context: CliContext): void {
  const user = program.command('user').summary('create, list and rescue accounts');
  user
    .command('create <email>')
    .description('Creates an account and prints its password if none was given.')
    .option('--name <name>', 'display name; the address when absent')
    .option('--password <password>', 'password; generated when absent. Other users may see it while the command runs')
    .option('--org <slug>', 'org to join; the default org when absent')
    .option('--role <role>', 'viewer, crawler or owner', 'crawler')
    .option('--superuser', 'may administer everything; joins no org')
    .action((email: string, options: CreateOptions) => attempt(context, () => create(context, email, options)));
  user
    .command('reset-password <email>')
    .description('Sets a new password, prints it if it was generated, and ends a lockout.')
    .option('--password <password>', 'password; generated when absent')
    .action((email: string, options: { password?: string }) =>
      attempt(context, async () => {
        const password = await withApp(context, (app) =>
          app.get(AccountAdmin).resetPassword(addressOf(email), options.password ?? null),
        );
        context.terminal.print(`The password of ${email} was replaced${shown(password, options.password)}`);
      }),
    );
  user
    .command('remove-second-factor <email>')
    .description(
      'Removes the second factors of somebody who has lost them, and ends their sessions. The password stays.',
    )
    .action((email: string) =>
      attempt(context, async () => {
        await withApp(context, async (app) => {
          await app.get(Rescue).removeSecondFactor(addressOf(email));
          // The owner is told before the program ends.
          await app.get(Mails, { strict: false }).settled();
        });
        context.terminal.print(`${email} has no second factor any more, and is logged out everywhere.`);
      }),
    );
  user
    .command('list')
    .description('Lists accounts: address, verified, orgs with roles.')
    .action(() =>
      attempt(context, async () => {
        for (const line of await withApp(context, (app) => app.get(AccountAdmin).list())) context.terminal.print(line);
      }),
    );
}

async function create(context: CliContext, email: string, options: CreateOptions): Promise<void> {
  const role = ROLES[options.role];
  if (role === undefined) throw new CommandProblem(`unknown role "${options.role}": viewer, crawler or owner`);
  const account: NewAccount = {
    email: addressOf(email),
    name: options.name ?? null,
    password: options.password ?? null,
    orgSlug: options.org ?? null,
    role,
    isSuperuser: options.superuser ?? false,
  };
  const password = await withApp(context, (app) => app.get(AccountAdmin).create(account));
  context.terminal.print(`Created ${account.email}${shown(password, options.password)}`);
}

/** The caller's mistake, in words. */
export class CommandProblem extends Error {}

const shown = (password: string, given: string | undefined): string =>
  given === undefined ? `; password: ${password}` : '.';

function addressOf(text: string): string {
  const parsed = parseEmail(text);
  if ('address' in parsed) return parsed.address;
  throw new CommandProblem(`${text} is no email address: ${parsed.reason}`);
}

/** Prints a refusal as one line with exit code 1, not as a stack. */
export async function attempt(context: CliContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError) && !(error instanceof CommandProblem)) throw error;
    context.terminal.complain(error instanceof DomainError ? error.detail : error.message);
    context.exitCode = 1;
  }
}
