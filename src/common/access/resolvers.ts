import type { OrgAccess, Principal, SecretUse } from './access.js';

/** A known caller beside the org of the route. */
export interface CallerAndOrg {
  readonly principal: Principal;
  /** As stored, which `OrgResolver` judges; null for an unknown one, and on a route of none. */
  readonly org: unknown;
}

/** Tells who comes where passport's strategies, which are bound by `auth/` too, do not reach. */
export abstract class PrincipalResolver {
  /**
   * Of a socket, which is opened outside the routes.
   * @param oid of the org that it is about, read together with the user; null for none that can be
   * @returns null for a login token that is invalid, expired, of another audience or of an unknown user
   */
  abstract fromLogin(token: string, oid: string | null): Promise<CallerAndOrg | null>;

  /** @returns the superuser the shared secret acts as, or null when it is off, not for this use, or wrong */
  abstract fromSharedSecret(secret: string, use: SecretUse): Promise<Principal | null>;
}

/** Tells what a caller is in the org of a route; bound by `orgs/`. */
export abstract class OrgResolver {
  /** @returns null for an unknown org and for one the caller is no member of */
  abstract accessOf(caller: CallerAndOrg): OrgAccess | null;
}
