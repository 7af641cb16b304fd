import type { AppConfig } from '../config/app-config.js';

interface TransportError {
  readonly code?: string;
  readonly message?: string;
  /** The server's answer, if any. */
  readonly response?: string;
}

/** Tells an administrator the remedy for a failed delivery, in a sentence that names the setting. */
export function explainMailFailure(error: unknown, { smtpHost, smtpPort, requireTls }: AppConfig['mail']): string {
  const { code = '', message = '', response } = error as TransportError;
  const server = `${smtpHost}:${String(smtpPort)}`;
  if (/ENOTFOUND|EAI_AGAIN|EDNS/.test(`${code} ${message}`))
    return `there is no host ${smtpHost}; check EMAIL_SMTP_HOST.`;
  if (/ECONNREFUSED/.test(`${code} ${message}`))
    return `nothing listens on ${server}; check EMAIL_SMTP_HOST and EMAIL_SMTP_PORT.`;
  if (/ETIMEDOUT|ETIMEOUT/.test(code)) return `${server} does not answer; a firewall may block the port.`;
  if (code === 'EAUTH')
    return `the server refused the login (${response ?? message}); check EMAIL_SENDER and EMAIL_PASSWORD.`;
  if (code === 'ETLS' || /certificate|self[- ]signed/i.test(message))
    return requireTls
      ? `no trusted TLS connection with ${server} (${message}); check the server's certificate, or EMAIL_SMTP_USE_TLS.`
      : `TLS failed: ${message}`;
  if (code === 'EENVELOPE') return `the server refused sender or receiver: ${response ?? message}`;
  if (code === 'EACCES' || code === 'ENOSPC') return `the folder cannot be written: ${message}`;
  return response ?? message;
}
