import type { ConnectionOptions } from 'node:tls';
import type { Transporter } from 'nodemailer';
import { seconds } from '../common/units/durations.js';
import type { AppConfig } from '../config/app-config.js';
import { Mailer, type OutgoingMail } from './mailer.js';

/** Longest wait for the server. */
const TIMEOUT_MS = seconds(20);
/** The implicit-TLS port of RFC 8314; every other port starts in clear and upgrades. */
const SMTPS_PORT = 465;

/**
 * Sends mails through an SMTP server. Contract: accounts §13.2. The library is loaded with the first mail: it takes 3 MB
 * of memory.
 */
export class SmtpMailer extends Mailer {
  readonly target: string;
  private transport: Promise<Transporter> | null = null;

  /** @param tls changes Node's defaults, which check the server's certificate */
  constructor(
    private readonly settings: AppConfig['mail'],
    private readonly tls: ConnectionOptions = {},
  ) {
    super();
    this.target = `smtp://${settings.smtpHost}:${String(settings.smtpPort)}`;
  }

  async send({ to, subject, text, html }: OutgoingMail): Promise<void> {
    const transport = await (this.transport ??= this.open());
    await transport.sendMail({ ...this.settings.from, to, subject, text, ...(html === '' ? {} : { html }) });
  }

  private async open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    const { smtpHost, smtpPort, requireTls, password, sender } = this.settings;
    return createTransport({
      host: smtpHost,
      port: smtpPort,
      secure: smtpPort === SMTPS_PORT,
      requireTLS: requireTls,
      ignoreTLS: !requireTls && smtpPort !== SMTPS_PORT,
      ...(password.isSet ? { auth: { user: sender, pass: password.reveal() } } : {}),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      tls: this.tls,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
}
