import type { ConnectionOptions } from 'node:tls';
import { createTransport, type Transporter } from 'nodemailer';
import { seconds } from '../common/units/durations.js';
import type { AppConfig } from '../config/app-config.js';
import { Mailer, type OutgoingMail } from './mailer.js';

/** Longest wait for the server. */
const TIMEOUT_MS = seconds(20);
/** The implicit-TLS port of RFC 8314; every other port starts in clear and upgrades. */
const SMTPS_PORT = 465;

/** Sends mails through an SMTP server. Contract: accounts §13.2. */
export class SmtpMailer extends Mailer {
  readonly target: string;
  private readonly transport: Transporter;

  /** @param tls changes Node's defaults, which check the server's certificate */
  constructor(
    private readonly settings: AppConfig['mail'],
    tls: ConnectionOptions = {},
  ) {
    super();
    this.target = `smtp://${settings.smtpHost}:${String(settings.smtpPort)}`;
    this.transport = createTransport({
      host: settings.smtpHost,
      port: settings.smtpPort,
      secure: settings.smtpPort === SMTPS_PORT,
      requireTLS: settings.requireTls,
      ignoreTLS: !settings.requireTls && settings.smtpPort !== SMTPS_PORT,
      ...(settings.password.isSet ? { auth: { user: settings.sender, pass: settings.password.reveal() } } : {}),
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      tls,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send({ to, subject, text, html }: OutgoingMail): Promise<void> {
    await this.transport.sendMail({ ...this.settings.from, to, subject, text, ...(html === '' ? {} : { html }) });
  }
}
