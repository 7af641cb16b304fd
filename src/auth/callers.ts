import { Injectable, Logger } from '@nestjs/common';
import type { OwnSession, Principal } from '../common/access/access.js';
import type { CallerAndOrg } from '../common/access/resolvers.js';
import { Clock } from '../common/clock/clock.js';
import { Outcomes } from '../common/metrics/outcomes.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import type { LoginSession } from '../users/data/login-session.schema.js';
import { LoginSessionsRepository } from '../users/data/login-sessions.repository.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { CallersQueries, type CallingUser } from './data/callers.queries.js';
import type { LoginClaims } from './tokens.js';

/** How exactly the last use of a session is known; more would be a write for each request. */
const LAST_USE_MINUTES = 5;

/** A request that comes by a login. */
export interface LoginUse {
  /** The request's org, which is read with the user; null for a request without one. */
  readonly oid: string | null;
  /** Address of the client; empty where it is unknown. */
  readonly ip: string;
}

export const toPrincipal = (user: CallingUser): Principal => ({
  id: user.id,
  email: user.email,
  name: user.name,
  isSuperuser: user.is_superuser,
  isVerified: user.is_verified,
});

const own = ({ sid: id, until, created, how, factor = null }: LoginSession): OwnSession => ({
  ...{ id, until, created, how, factor },
});

/** Finds callers by id, in the form that access rules need. */
@Injectable()
export class Callers {
  private readonly logger = new Logger('sessions');

  constructor(
    private readonly users: UsersRepository,
    private readonly queries: CallersQueries,
    private readonly sessions: LoginSessionsRepository,
    private readonly outcomes: Outcomes,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** @returns null for an unknown user, and for a session that has ended */
  async find({ userId, sid }: LoginClaims, { oid, ip }: LoginUse): Promise<CallerAndOrg | null> {
    const { user, org } =
      oid === null
        ? { user: await this.queries.user(userId, sid), org: null }
        : await this.queries.userAndOrg(userId, sid, oid);
    if (!user) return null;
    if (sid === null) return { principal: this.judged(user), org };
    const session = this.going(user, sid);
    if (!session) {
      this.outcomes.endedSessionRefused();
      return null;
    }
    this.remember(userId, session, ip);
    return { principal: this.judged(user, own(session)), org };
  }

  /** Whether the session by which a caller was let in has ended. */
  async hasEnded({ id, session }: Principal): Promise<boolean> {
    if (!session) return false;
    const user = await this.queries.user(id, session.id);
    return !user || !this.going(user, session.id);
  }

  async superuser(): Promise<Principal | null> {
    const superuser = await this.users.findSuperuser();
    return superuser && toPrincipal(superuser);
  }

  /** What a log-in is worth: all that the account is, unless a second factor is wanted that it had not. */
  private judged(user: CallingUser, session?: OwnSession): Principal {
    const whole = { ...toPrincipal(user), ...(session ? { session } : {}) };
    if (session?.factor) return whole;
    const isHeldBack = user.is_superuser && this.config.auth.superusersNeedFactor;
    return { ...whole, isSuperuser: user.is_superuser && !isHeldBack, lacksFactor: true, isHeldBack };
  }

  private going({ sessions = [] }: CallingUser, sid: string): LoginSession | null {
    return sessions.find((one) => one.sid === sid && one.until > this.clock.now()) ?? null;
  }

  /** No request waits for it, or fails because of it. */
  private remember(userId: string, session: LoginSession, ip: string): void {
    const now = this.clock.now();
    if (session.lastUsed.getTime() + minutes(LAST_USE_MINUTES) > now.getTime()) return;
    this.sessions.touch(userId, session, { now, ip }).catch((error: unknown) => {
      this.logger.warn({ event: 'session_use_unknown', userId, err: error });
    });
  }
}
