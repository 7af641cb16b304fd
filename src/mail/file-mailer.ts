import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../common/clock/clock.js';
import type { AppConfig } from '../config/app-config.js';
import { Mailer, type OutgoingMail } from './mailer.js';

/**
 * Writes mails to a folder, for a service without SMTP. Only the service's user can read their tokens. The library is
 * loaded with the first mail: it takes 3 MB of memory.
 */
export class FileMailer extends Mailer {
  readonly target: string;
  private written = 0;

  constructor(
    private readonly folder: string,
    private readonly from: AppConfig['mail']['from'],
    private readonly clock: Clock,
  ) {
    super();
    this.target = folder;
  }

  async send(mail: OutgoingMail): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { to, subject, text, html } = mail;
    const date = this.clock.now();
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
    const sent = await transport.sendMail({ ...this.from, to, subject, text, date, ...(html ? { html } : {}) });
    // Names give the order of writing. They omit the address, because names may end up in listings.
    const order = String(++this.written).padStart(6, '0');
    const name = `${date.toISOString().replace(/[:.]/g, '-')}-${order}-${randomBytes(3).toString('hex')}.eml`;
    const draft = join(this.folder, `.${name}.part`);
    await writeFile(draft, sent.message as Buffer, { mode: 0o600, flag: 'wx' });
    await rename(draft, join(this.folder, name));
  }
}
