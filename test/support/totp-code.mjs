/** Prints what an authenticator app shows: `node totp-code.mjs SECRET [half minutes from now]`. */
import { Secret, TOTP } from 'otpauth';

const [secret = '', steps = '0'] = process.argv.slice(2);
const timestamp = Date.now() + Number(steps) * 30_000;
process.stdout.write(new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp }));
