import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AuditTrail } from '../../audit/audit-trail.js';
import { person } from '../../audit/rules/actors.js';
import type { OwnSession, Principal } from '../../common/access/access.js';
import { Clock } from '../../common/clock/clock.js';
import { newId } from '../../common/ids/uuid.js';
import { days, minutes } from '../../common/units/durations.js';
import { wireTime } from '../../common/validation/date-time.js';
import { AppConfig } from '../../config/app-config.js';
import type { LoginSession } from '../../users/data/login-session.schema.js';
import { LoginSessionsRepository } from '../../users/data/login-sessions.repository.js';
import { BadCredentials } from '../auth.errors.js';
import type { SessionOut } from '../dto/sessions.dto.js';
import { Tokens } from '../tokens.js';
import { deviceOf } from './device.js';
import { SessionNotFound } from './sessions.errors.js';

/** A log-in that has just succeeded. */
interface Beginning {
  /** As `LoginSession.how`. */
  readonly how: string;
  /** The password's hash that was proved; null where none was. */
  readonly hash: string | null;
  readonly request: Request;
  /** As `LoginSession.providerSid`. */
  readonly providerSid?: string | null;
  /** As `LoginSession.factor`. */
  readonly factor?: string | null;
}

const toOut = (session: LoginSession, current: boolean): SessionOut => {
  const { sid, created, lastUsed, until, ip, device, how, factor = null } = session;
  return {
    id: sid,
    created: wireTime(created),
    lastUsed: wireTime(lastUsed),
    expires: wireTime(until),
    ...{ ip, device, how, factor, current },
  };
};

/** Begins, lists and ends the sessions of people. ADR 0052. */
@Injectable()
export class Sessions {
  constructor(
    private readonly sessions: LoginSessionsRepository,
    private readonly tokens: Tokens,
    private readonly config: AppConfig,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** @throws BadCredentials when password or second factor were changed, or the account deleted, meanwhile */
  async begin(
    userId: string,
    { how, hash, request, providerSid = null, factor = null }: Beginning,
  ): Promise<OwnSession> {
    const { sessionDays, tokenLifetimeMinutes } = this.config.auth;
    const now = this.clock.now();
    const until = new Date(now.getTime() + Math.max(days(sessionDays), minutes(tokenLifetimeMinutes)));
    const device = deviceOf(request.headers['user-agent']);
    const session = {
      ...{ sid: newId(), created: now, lastUsed: now, until },
      ...{ ip: request.ip ?? '', device, how, providerSid, factor },
    };
    if (!(await this.sessions.begin(userId, session, hash))) throw new BadCredentials();
    if (how !== 'token') await this.tell('account.loggedIn', userId, session.sid);
    return { id: session.sid, until, created: now, how, factor };
  }

  /** Those that are going on, the one that was used last first. */
  async list({ id, session: own }: Principal): Promise<SessionOut[]> {
    const now = this.clock.now();
    const going = (await this.sessions.list(id)).filter(({ until }) => until > now);
    going.sort((one, other) => other.lastUsed.getTime() - one.lastUsed.getTime());
    return going.map((session) => toOut(session, session.sid === own?.id));
  }

  /** @throws SessionNotFound */
  async end({ id }: Principal, sessionId: string): Promise<void> {
    if (!(await this.sessions.end(id, sessionId))) throw new SessionNotFound();
  }

  /** Ends all sessions of the caller but the one of this request, if it has one. */
  async endOthers({ id, session }: Principal): Promise<void> {
    await this.sessions.endOthers(id, session?.id ?? null);
  }

  /** Ends what began with a sign-in at a provider: all sessions, or the one that goes with a session there. */
  async endOfProvider(userId: string, how: string, providerSid: string | null): Promise<void> {
    await this.sessions.endOfProvider(userId, how, providerSid);
    await this.tell('account.loggedOutByProvider', userId, null);
  }

  /** Ends the session of a token, if there is any. */
  async endOf(token: string | null): Promise<void> {
    const login = token === null ? null : await this.tokens.readLogin(token);
    if (login?.sid && (await this.sessions.end(login.userId, login.sid)))
      await this.tell('account.loggedOut', login.userId, login.sid);
  }

  private tell(action: string, userId: string, sid: string | null): Promise<void> {
    const about = sid === null ? (['user', userId] as const) : (['session', sid] as const);
    return this.trail.record({ action, by: person(userId), about });
  }
}
