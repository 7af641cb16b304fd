import { hostname } from 'node:os';
import type { Env } from './env.js';

export interface MailFrom {
  /** Header text that holds an address. */
  readonly from: string;
  /** Absent when no setting holds an address that somebody reads. */
  readonly replyTo?: string;
}

const holdsAddress = (text: string): boolean => /[^\s<>@,]+@[^\s<>@,]+/.test(text);

/** Host of the service as mails name it; the machine's where that is not set. */
function mailHost(origin: string): string {
  try {
    return new URL(origin).hostname;
  } catch {
    return hostname();
  }
}

/**
 * From and Reply-To are EMAIL_REPLY_TO, else EMAIL_SENDER (accounts §13.2). Where neither holds an address, as by
 * default, a mail would have no From at all: the sender's label then stands before an address of the service's own.
 */
export function mailFrom(env: Pick<Env, 'EMAIL_REPLY_TO' | 'EMAIL_SENDER' | 'EMAIL_SUPPORT' | 'APP_ORIGIN'>): MailFrom {
  const given = [env.EMAIL_REPLY_TO, env.EMAIL_SENDER].find(holdsAddress);
  if (given !== undefined) return { from: given, replyTo: given };
  const address = `noreply@${mailHost(env.APP_ORIGIN)}`;
  const replyTo = holdsAddress(env.EMAIL_SUPPORT) ? { replyTo: env.EMAIL_SUPPORT } : {};
  const label = (env.EMAIL_REPLY_TO || env.EMAIL_SENDER).replace(/["\\\r\n]/g, ' ');
  return { from: `"${label}" <${address}>`, ...replyTo };
}
