import type { OrgAccess, Principal } from './access.js';

/** A request, as far as a token that opens only some of them minds. */
export interface RequestedUse {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/** Turns credentials into a caller; bound by `auth/`. */
export abstract class PrincipalResolver {
  /**
   * @param use what a token that is good for a few reads may open; without, only login tokens count
   * @returns null for a token that is invalid, expired, of another audience or of an unknown user
   */
  abstract fromToken(token: string, use?: RequestedUse): Promise<Principal | null>;

  /** @returns the superuser the shared secret acts as, or null when it is off, not for this use, or wrong */
  abstract fromSharedSecret(secret: string, use: 'org-create' | 'subscriptions'): Promise<Principal | null>;
}

/** Finds the org of a route; bound by `orgs/`. */
export abstract class OrgResolver {
  /** @returns null for an unknown org and for one the caller is no member of */
  abstract resolve(oid: string, principal: Principal): Promise<OrgAccess | null>;
}
