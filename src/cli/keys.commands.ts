import type { Command } from 'commander';
import { AuditTrail } from '../audit/audit-trail.js';
import { SigningKeys } from '../signing/signing-keys.js';
import type { CliContext } from './cli-context.js';
import { withApp } from './with-app.js';

/** `keys list` and `keys rotate`: the keys by which the installation signs its archives. */
export function registerKeys(program: Command, context: CliContext): void {
  const keys = program.command('keys').summary('list and replace the keys that sign archives');
  keys
    .command('list')
    .description('Lists the public keys, the newest first.')
    .action(() => withApp(context, (app) => list(app.get(SigningKeys, { strict: false }), context)));
  keys
    .command('rotate')
    .description('Makes a new key that signs from now on. Signatures by the old keys stay valid.')
    .action(() =>
      withApp(context, async (app) => {
        const id = await app.get(SigningKeys, { strict: false }).rotate();
        await app.get(AuditTrail).record({ action: 'cli.signingKeyRotated' });
        context.terminal.print(`${id} signs from now on. Running services use it at once.`);
      }),
    );
}

async function list(keys: SigningKeys, { terminal }: CliContext): Promise<void> {
  const all = await keys.all();
  for (const { _id: id, created, retired, orgName } of all) {
    const until = retired ? `retired ${retired.toISOString()}` : 'signs';
    terminal.print(
      `${id}  created ${created.toISOString()}  ${until}${orgName === undefined ? '' : ` for ${orgName}`}`,
    );
  }
  if (all.length === 0) terminal.print('There is no key yet: it is made with the first signature.');
}
