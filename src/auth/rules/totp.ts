import { Secret, TOTP } from 'otpauth';
import { seconds } from '../../common/units/durations.js';

/** RFC 6238 as authenticator apps read it: SHA-1, six digits, half a minute. */
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Codes before and after the current one that are taken: clocks of phones are off. */
const DRIFT_STEPS = 1;

const totpOf = (secret: Secret, label = ''): TOTP =>
  new TOTP({ secret, label, issuer: 'Muniment', algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS });

export const newTotpSecret = (): Buffer => Buffer.from(new Secret({ size: SECRET_BYTES }).bytes);

/** What an authenticator app is told, by a QR code or by hand. */
export function totpShown(secret: Buffer, account: string): { secret: string; uri: string } {
  const of = new Secret({ buffer: Uint8Array.from(secret).buffer });
  return { secret: of.base32, uri: totpOf(of, account).toString() };
}

/** @returns number of the half minute whose code this is; null for a wrong one */
export function totpStep(code: string, secret: Buffer, nowMs: number): number | null {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const totp = totpOf(new Secret({ buffer: Uint8Array.from(secret).buffer }));
  const delta = totp.validate({ token, timestamp: nowMs, window: DRIFT_STEPS });
  return delta === null ? null : Math.floor(nowMs / seconds(PERIOD_SECONDS)) + delta;
}
