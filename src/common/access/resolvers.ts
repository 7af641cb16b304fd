import type { OrgAccess, Principal } from './access.js';

/** A request, as far as a token that opens only some of them minds. */
export interface RequestedUse {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/** A known caller beside the org of the route. */
export interface CallerAndOrg {
  readonly principal: Principal;
  /** As stored, which `OrgResolver` judges; null for an unknown one. */
  readonly org: unknown;
}

/** Turns credentials into a caller; bound by `auth/`. */
export abstract class PrincipalResolver {
  /**
   * @param use what a token that is good for a few reads may open; without, only login tokens count
   * @returns null for a token that is invalid, expired, of another audience or of an unknown user
   */
  abstract fromToken(token: string, use?: RequestedUse): Promise<Principal | null>;

  /** The same for a route of an org, which is read together with the user: most requests are of this kind. */
  abstract withOrg(token: string, oid: string, use?: RequestedUse): Promise<CallerAndOrg | null>;

  /** @returns the superuser the shared secret acts as, or null when it is off, not for this use, or wrong */
  abstract fromSharedSecret(secret: string, use: 'org-create' | 'subscriptions'): Promise<Principal | null>;
}

/** Tells what a caller is in the org of a route; bound by `orgs/`. */
export abstract class OrgResolver {
  /** @returns null for an unknown org and for one the caller is no member of */
  abstract accessOf(caller: CallerAndOrg): OrgAccess | null;
}
