import type { AppConfig } from '../config/app-config.js';
import { explainMailFailure } from './mail-failure.js';
import { MailTemplates } from './mail-templates.js';
import type { Mailer } from './mailer.js';

export interface TestMail {
  readonly to: string;
  /** Origin that the mail's links lead to. */
  readonly origin: string;
}

/** Sends a mail that shows whether the settings work. @returns what to change in them; null when it was taken */
export async function sendTestMail(
  mailer: Mailer,
  { to, origin }: TestMail,
  settings: AppConfig['mail'],
): Promise<string | null> {
  try {
    await mailer.send({ to, ...new MailTemplates().render('test', { origin }) });
    return null;
  } catch (error) {
    return explainMailFailure(error, settings);
  }
}
