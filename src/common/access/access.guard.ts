import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import { Forbidden, InvalidCredentials, OrgNotFound, SecondFactorDemanded } from '../errors/domain-error.js';
import { PartRefused } from '../validation/contract.pipe.js';
import { uuid } from '../validation/formats.js';
import { faultsOf } from '../validation/kind.js';
import {
  ACCESS,
  ROLE,
  ROLE_REFUSED,
  oidOf,
  type Access,
  type Admitted,
  type AuthedRequest,
  type KeyGrant,
  type Principal,
  type RoleName,
  type SecretUse,
} from './access.js';
import { keyDemandOf, KeyLimited, KeyScopeMissing, KeysRefused } from './key-scopes.js';
import { logRefusal } from './refused-access.js';
import { OrgResolver, PrincipalResolver, type CallerAndOrg } from './resolvers.js';
import { tokenOf } from './token.js';

const mayEdit = (access: Access): boolean =>
  access.who !== 'user' && !(access.who === 'role' && access.role === 'viewer');

/** This guard looks at one part of the input only: the id of the org. */
function malformedOid({ params }: AuthedRequest): PartRefused {
  const input = String(params['oid'] ?? '');
  return new PartRefused(faultsOf(uuid(), input).map((fault) => ({ ...fault, loc: ['path', 'oid'], input })));
}

/**
 * Lets in the callers that the route is for. Passport's strategies identify the caller, and the route declares what it
 * demands. The checks run in this order: caller is known, org exists for the caller, role, superuser. A handler that
 * declares no access is refused. Contract: accounts §1.2, §7.1.
 */
@Injectable()
export class AccessGuard extends AuthGuard() {
  /** @param strategies names the strategies that may identify a caller */
  constructor(
    strategies: AuthModuleOptions,
    private readonly reflector: Reflector,
    private readonly principals: PrincipalResolver,
    private readonly orgs: OrgResolver,
  ) {
    super(strategies);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { principal, org } = await this.admissionOf(context);
    Object.assign(context.switchToHttp().getRequest<AuthedRequest>(), { principal, orgAccess: org });
    return true;
  }

  /** Decides once for a request. Rejects with the error that a refused caller is answered. */
  admissionOf(context: ExecutionContext): Promise<Partial<Admitted>> {
    const request = context.switchToHttp().getRequest<AuthedRequest>();
    return (request.admission ??= this.admit(context).catch((error: unknown) => {
      logRefusal(error, context);
      throw error;
    }));
  }

  /** Passport's verdict. @throws InvalidCredentials */
  override handleRequest<Caller = CallerAndOrg>(error: unknown, caller: Caller | false | null): Caller {
    if (error) throw error as Error;
    if (!caller) throw new InvalidCredentials();
    return caller;
  }

  private async admit(context: ExecutionContext): Promise<Partial<Admitted>> {
    const declaring = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, declaring);
    if (!access) throw new Forbidden('Not Allowed');
    if (access.who === 'public') return {};
    const role = access.who === 'role' ? access.role : access.who === 'superuser' ? access.after : undefined;
    const admitted = role ? await this.checkRole(role, context) : await this.authenticate(access, context);
    if ((access.who === 'superuser' || access.who === 'secret') && !admitted.principal.isSuperuser)
      throw admitted.principal.isHeldBack ? new SecondFactorDemanded() : new Forbidden(access.detail);
    return { ...admitted, mayEdit: mayEdit(access) };
  }

  private async authenticate(access: Access, context: ExecutionContext): Promise<Admitted> {
    const bySecret = access.who === 'secret' ? await this.bySecret(access.secret, context) : null;
    if (bySecret) return { principal: { ...bySecret, isBySecret: true } };
    return { principal: (await this.callerOf(context)).principal };
  }

  private async bySecret(use: SecretUse, context: ExecutionContext): Promise<Principal | null> {
    const token = tokenOf(context.switchToHttp().getRequest<AuthedRequest>());
    return token === null ? null : this.principals.fromSharedSecret(token, use);
  }

  /** An unknown caller is refused before faults of the path are told. */
  private async checkRole(role: RoleName, context: ExecutionContext): Promise<Admitted> {
    const request = context.switchToHttp().getRequest<AuthedRequest>();
    const caller = await this.callerOf(context);
    if (oidOf(request) === null) throw malformedOid(request);
    const access = this.orgs.accessOf(caller);
    if (!access) throw caller.principal.isHeldBack ? new SecondFactorDemanded() : new OrgNotFound();
    if (access.role < ROLE[role]) throw new Forbidden(ROLE_REFUSED[role]);
    return { principal: caller.principal, org: access };
  }

  /** @throws InvalidCredentials, KeysRefused, KeyScopeMissing, KeyLimited */
  private async callerOf(context: ExecutionContext): Promise<CallerAndOrg> {
    await super.canActivate(context);
    const caller = context.switchToHttp().getRequest<{ user: CallerAndOrg }>().user;
    const { key } = caller.principal;
    if (key) checkKey(key, context);
    if (key?.only && !(await this.principals.reaches(key, context.switchToHttp().getRequest<AuthedRequest>())))
      throw new KeyLimited();
    return caller;
  }
}

/** Of a caller by key, looks whether the key was made for such a route. @throws KeysRefused, KeyScopeMissing */
function checkKey(key: KeyGrant, context: ExecutionContext): void {
  const demand = keyDemandOf(context.getClass(), context.getHandler() as (...args: never[]) => unknown) ?? 'none';
  if (demand === 'none') throw new KeysRefused();
  if (demand !== 'any' && !key.scopes.includes(demand)) throw new KeyScopeMissing();
}
