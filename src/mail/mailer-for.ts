import { join } from 'node:path';
import type { Clock } from '../common/clock/clock.js';
import type { AppConfig } from '../config/app-config.js';
import { FileMailer } from './file-mailer.js';
import type { Mailer } from './mailer.js';
import { SmtpMailer } from './smtp-mailer.js';

/** The transport in the settings: SMTP when a server is named, otherwise files in DATA_DIR/mail. */
export function mailerFor({ mail, dataDir }: AppConfig, clock: Clock): Mailer {
  if (mail.smtpHost !== '') return new SmtpMailer(mail);
  return new FileMailer(join(dataDir, 'mail'), mail.from, clock);
}
