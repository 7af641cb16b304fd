import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock } from '../common/clock/clock.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import type { Proofs } from './provider-client.js';

/** Time in which a person has to come back from the provider. */
const LASTS_MS = minutes(10);
/** Keeps what is signed here apart from all else that is signed by PASSWORD_SECRET. */
const PURPOSE = 'muniment sign-in cookie 1';

/** A sign-in under way. */
export interface BegunSignIn {
  readonly provider: string;
  readonly proofs: Proofs;
  readonly redirectUri: string;
  /** Page of the console, or of the former client, at which the person arrives. */
  readonly returnTo: string;
  readonly isFormerClient: boolean;
}

/** Keeps a sign-in under way in the browser that began it, so that nobody else's can be ended there. */
@Injectable()
export class SignInCookie {
  private readonly key: Buffer;

  constructor(
    config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.key = createHmac('sha256', config.auth.passwordSecret.reveal()).update(PURPOSE).digest();
  }

  set(response: Response, begun: BegunSignIn): void {
    const text = JSON.stringify({ ...begun, untilMs: this.clock.nowMs() + LASTS_MS });
    const value = Buffer.from(text).toString('base64url');
    response.cookie(nameFor(begun.redirectUri), `${value}.${this.sign(value)}`, { ...rules(begun), maxAge: LASTS_MS });
  }

  /** @returns null when this browser has begun none, or too long ago */
  read(request: Request): BegunSignIn | null {
    for (const name of NAMES) {
      const [value = '', signature = ''] = (cookieOf(request, name) ?? '').split('.');
      const [given, right] = [Buffer.from(signature), Buffer.from(this.sign(value))];
      if (given.length !== right.length || !timingSafeEqual(given, right)) continue;
      const { untilMs, ...begun } = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as BegunSignIn & {
        untilMs: number;
      };
      // By whose redirect address the cookie was made, that name it has.
      if (nameFor(begun.redirectUri) === name && untilMs > this.clock.nowMs()) return begun;
    }
    return null;
  }

  clear(response: Response, begun: BegunSignIn): void {
    response.clearCookie(nameFor(begun.redirectUri), rules(begun));
  }

  private sign(value: string): string {
    return createHmac('sha256', this.key).update(value).digest('base64url');
  }
}

/** With TLS, a name that browsers accept from this very host alone. */
const NAMES = ['__Host-muniment-sign-in', 'muniment-sign-in'] as const;
const isSecure = (redirectUri: string): boolean => redirectUri.startsWith('https:');
const nameFor = (redirectUri: string): string => NAMES[isSecure(redirectUri) ? 0 : 1];
// Lax: the provider's redirect comes from another site.
const rules = ({ redirectUri }: BegunSignIn) =>
  ({ httpOnly: true, sameSite: 'lax', secure: isSecure(redirectUri), path: '/' }) as const;

const cookieOf = ({ headers }: Request, name: string): string | undefined =>
  headers.cookie
    ?.split(';')
    .map((pair) => pair.trim().split('='))
    .find(([key]) => key === name)?.[1];
