import type { Request } from 'express';
import type { KeyGrant, OrgAccess, Principal, SecretUse } from './access.js';

/** A known caller, and the org of the route. */
export interface CallerAndOrg {
  readonly principal: Principal;
  /** The stored org, which `OrgResolver` judges; null when it is unknown or the route has none. */
  readonly org: unknown;
}

/** Identifies callers where passport's strategies do not reach. `auth/` binds it, as it does the strategies. */
export abstract class PrincipalResolver {
  /**
   * Identifies the caller of a socket, which is opened outside the routes.
   * @param oid id of the org concerned, read together with the user; null when no valid id was given
   * @returns null for a login token that is invalid, expired, of another audience or of an unknown user
   */
  abstract fromLogin(token: string, oid: string | null): Promise<CallerAndOrg | null>;

  /** Whether the session by which a caller was let in has ended; what stays open for long asks again. */
  abstract hasEnded(caller: Principal): Promise<boolean>;

  /** Whether a key that is limited to workflows or collections opens a request. */
  abstract reaches(key: KeyGrant, request: Request): Promise<boolean>;

  /** @returns the superuser that the shared secret acts as; null when it is off, not for this use, or wrong */
  abstract fromSharedSecret(secret: string, use: SecretUse): Promise<Principal | null>;
}

/** Tells which role a caller has in the org of a route; bound by `orgs/`. */
export abstract class OrgResolver {
  /**
   * @returns null for an unknown org, and when the caller is not a member of it
   * @throws SecondFactorDemanded for a member whose log-in lacks what the org demands
   */
  abstract accessOf(caller: CallerAndOrg): OrgAccess | null;
}
