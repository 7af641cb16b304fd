import type { Command } from 'commander';
import { SystemClock } from '../common/clock/clock.js';
import { parseEmail } from '../common/validation/email.js';
import { loadConfig } from '../config/load-config.js';
import { settledOrigin } from '../links/links.js';
import { mailerFor } from '../mail/mailer-for.js';
import { sendTestMail } from '../mail/test-mail.js';
import type { CliContext } from './cli-context.js';

/** `mail test <address>`: sends one mail by the settings; if that fails, tells what is wrong with them. */
export function registerMail(program: Command, context: CliContext): void {
  const mail = program.command('mail').summary('try the mail settings');
  mail
    .command('test <address>')
    .description('Sends a test mail. Ends with 1 if it was not accepted, and says why.')
    .action(async (address: string) => {
      context.exitCode = (await sendTest(context, address)) ? 0 : 1;
    });
}

async function sendTest({ variables, terminal }: CliContext, address: string): Promise<boolean> {
  const parsed = parseEmail(address);
  if (!('address' in parsed)) {
    terminal.complain(`${address} is no email address: ${parsed.reason}`);
    return false;
  }
  const config = loadConfig(variables);
  const mailer = mailerFor(config, new SystemClock());
  const { address: to } = parsed;
  const wrong = await sendTestMail(mailer, { to, origin: settledOrigin(config.http) }, config.mail);
  if (wrong !== null) {
    terminal.complain(`Not sent by ${mailer.target}: ${wrong}`);
    return false;
  }
  const written = config.mail.smtpHost === '' ? ' (EMAIL_SMTP_HOST is not set, so mails are written to files)' : '';
  terminal.print(`The mail to ${to} went to ${mailer.target}${written}.`);
  return true;
}
