import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { Forbidden, InvalidCredentials, OrgNotFound } from '../errors/domain-error.js';
import { canonicalUuid } from '../ids/uuid.js';
import { BODY_KIND, type BodyKind } from '../validation/body-kind.js';
import { readRequestBody } from '../validation/body-reader.js';
import { uuid } from '../validation/formats.js';
import { InputRefused, under } from '../validation/issue.js';
import { inputModels, readRouteInput } from '../validation/route-input.js';
import { ACCESS, ROLE, type Access, type AuthedRequest, type Principal, type RoleName } from './access.js';
import { OrgResolver, PrincipalResolver } from './resolvers.js';
import { tokenOf } from './token.js';

const ROLE_REFUSED: Record<RoleName, string> = {
  viewer: 'User does not have permission to view this organization',
  crawler: 'User does not have permission to modify crawls',
  owner: 'User does not have permission to perform this action',
};

/**
 * The one guard. In order: body is readable, caller is known, org exists for the caller, role, superuser.
 * A handler that declares no access is refused. Contract: accounts §1.2, §7.1.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly principals: PrincipalResolver,
    private readonly orgs: OrgResolver,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!access) throw new Forbidden('Not Allowed');
    const http = context.switchToHttp();
    const request = http.getRequest<AuthedRequest>();
    await readRequestBody(this.bodyKind(context), request, http.getResponse<Response>());
    if (access.who === 'public') return true;
    const role = access.who === 'role' ? access.role : access.who === 'superuser' ? access.after : undefined;
    const principal = role ? await this.checkRole(role, request, context) : await this.authenticate(access, request);
    request.principal = principal;
    if ((access.who === 'superuser' || access.who === 'secret') && !principal.isSuperuser)
      throw new Forbidden(access.detail);
    return true;
  }

  private bodyKind(context: ExecutionContext): BodyKind {
    const declared = this.reflector.get<BodyKind | undefined>(BODY_KIND, context.getHandler());
    if (declared) return declared;
    return inputModels(context.getClass(), context.getHandler().name).body ? 'json' : 'raw';
  }

  private async authenticate(access: Access, request: AuthedRequest): Promise<Principal> {
    const token = givenToken(request);
    const bySecret = access.who === 'secret' ? await this.principals.fromSharedSecret(token, access.secret) : null;
    const principal = bySecret ?? (await this.principals.fromToken(token, request));
    if (!principal) throw new InvalidCredentials();
    return principal;
  }

  /** Who the caller is comes before what is wrong with the path. */
  private async checkRole(role: RoleName, request: AuthedRequest, context: ExecutionContext): Promise<Principal> {
    const token = givenToken(request);
    const given = String(request.params['oid'] ?? '');
    const oid = canonicalUuid(given);
    if (oid === null) {
      if (!(await this.principals.fromToken(token, request))) throw new InvalidCredentials();
      const own = uuid().parse(given);
      const others = readRouteInput(context).issues.filter((issue) => issue.loc.join('.') !== 'path.oid');
      throw new InputRefused([...(own.ok ? [] : under(['path', 'oid'], own.issues)), ...others]);
    }
    const caller = await this.principals.withOrg(token, oid, request);
    if (!caller) throw new InvalidCredentials();
    const access = this.orgs.accessOf(caller);
    if (!access) throw new OrgNotFound();
    if (access.role < ROLE[role]) throw new Forbidden(ROLE_REFUSED[role]);
    request.orgAccess = access;
    return caller.principal;
  }
}

function givenToken(request: AuthedRequest): string {
  const token = tokenOf(request);
  if (token === null) throw new InvalidCredentials();
  return token;
}
