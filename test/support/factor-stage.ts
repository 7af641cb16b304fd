import { Secret, TOTP } from 'otpauth';
import type { ApiClient, Answer } from './api-client.js';
import { TestPasskey } from './passkey.js';
import { aMember, type Member } from './people.js';
import type { AppUnderTest } from './start-app.js';

export const FACTOR = '/users/me/second-factor';
export const HALF_MINUTE = 30_000;

/** Somebody with an authenticator app. */
export interface Proved extends Member {
  readonly secret: string;
  readonly recovery: readonly string[];
}

/** What people do who have a second factor, against a service. */
export class FactorStage {
  constructor(readonly under: AppUnderTest) {}

  /** Code of an app, so many half minutes from now. */
  code(secret: string, steps = 0): string {
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    return totp.generate({ timestamp: this.under.clock.nowMs() + steps * HALF_MINUTE });
  }

  /** The next half minute: its code has not been used. */
  pass(halfMinutes = 1): void {
    this.under.clock.advance(halfMinutes * HALF_MINUTE);
  }

  /** Sets up an app, in the session of the client. */
  async withApp(member: Member): Promise<Proved> {
    const begun = await member.api.post(`${FACTOR}/totp/begin`, { password: member.password });
    if (begun.status !== 200) throw new Error(`begin answered ${JSON.stringify(begun.body)}`);
    const { secret, setup } = begun.body as { secret: string; setup: string };
    const ended = await member.api.post(`${FACTOR}/totp`, { setup, code: this.code(secret) });
    if (ended.status !== 200) throw new Error(`end answered ${JSON.stringify(ended.body)}`);
    this.pass();
    return { ...member, secret, recovery: ended.body.recoveryCodes as string[] };
  }

  async aProved(oid: string, role: 10 | 20 | 40 = 20): Promise<Proved> {
    return this.withApp(await aMember(this.under, oid, role));
  }

  /** Keeps a passkey of an authenticator, in the session of the client. */
  async withPasskey({ api, password }: Member, name = 'A phone'): Promise<{ passkey: TestPasskey; answer: Answer }> {
    const passkey = new TestPasskey(this.under.baseUrl.replace('127.0.0.1', 'localhost'));
    const begun = await api.post(`${FACTOR}/passkeys/begin`, { password });
    if (begun.status !== 200) throw new Error(`begin answered ${JSON.stringify(begun.body)}`);
    const { setup, options } = begun.body as { setup: string; options: Record<string, unknown> };
    const answer = await api.post(`${FACTOR}/passkeys`, { setup, passkey: passkey.register(options), name });
    return { passkey, answer };
  }

  password({ email, password }: Pick<Member, 'email' | 'password'>, otp?: string): Promise<Answer> {
    const form = { username: email, password, ...(otp === undefined ? {} : { otp }) };
    return this.under.api.call('POST', '/auth/jwt/login', { form });
  }

  async challenge(member: Pick<Member, 'email' | 'password'>): Promise<string> {
    const { body } = await this.password(member);
    return (body as { challenge: string }).challenge;
  }

  second(challenge: string, by: { code?: string; passkey?: object }): Promise<Answer> {
    return this.under.api.post('/auth/jwt/second-step', { challenge, ...by });
  }

  client({ body }: Answer): ApiClient {
    return this.under.api.as((body as { access_token: string }).access_token);
  }
}
