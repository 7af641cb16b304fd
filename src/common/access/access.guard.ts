import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { Forbidden, InvalidCredentials, OrgNotFound } from '../errors/domain-error.js';
import { canonicalUuid } from '../ids/uuid.js';
import { OpenBodies } from '../http/open-bodies.js';
import { BODY_KIND, type BodyKind } from '../validation/body-kind.js';
import { BodyTooLarge, readRequestBody } from '../validation/body-reader.js';
import { uuid } from '../validation/formats.js';
import { InputRefused, under } from '../validation/issue.js';
import { inputModels, readRouteInput } from '../validation/route-input.js';
import {
  ACCESS,
  ROLE,
  type Access,
  type AuthedRequest,
  type OrgAccess,
  type Principal,
  type RoleName,
} from './access.js';
import { OrgResolver, PrincipalResolver } from './resolvers.js';
import { tokenOf } from './token.js';

const ROLE_REFUSED: Record<RoleName, string> = {
  viewer: 'User does not have permission to view this organization',
  crawler: 'User does not have permission to modify crawls',
  owner: 'User does not have permission to perform this action',
};

/** Who comes in, and for a route of an org as what. */
interface Admitted {
  readonly principal: Principal;
  readonly org?: OrgAccess;
}

/** Makes the error that is answered, once the body was looked at. */
type Refusal = (context: ExecutionContext) => Error;

/** Whether the route changes what an org or the deployment keeps. */
const mayEdit = (access: Access): boolean =>
  access.who !== 'user' && !(access.who === 'role' && access.role === 'viewer');

/**
 * The one guard. Answers in this order: body is readable, caller is known, org exists for the caller, role, superuser;
 * but who comes is found out first, since a body is read no further than its sender is good for (ADR 0012).
 * A handler that declares no access is refused. Contract: accounts §1.2, §7.1.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly principals: PrincipalResolver,
    private readonly orgs: OrgResolver,
    private readonly bodies: OpenBodies,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!access) throw new Forbidden('Not Allowed');
    const request = context.switchToHttp().getRequest<AuthedRequest>();
    const verdict = await this.judge(access, request);
    await this.readBody(context, access, verdict);
    if (typeof verdict === 'function') throw verdict(context);
    request.principal = verdict?.principal;
    request.orgAccess = verdict?.org;
    return true;
  }

  /** What is decided without the body: only then is known how much of one is worth reading. */
  private async judge(access: Access, request: AuthedRequest): Promise<Admitted | Refusal | null> {
    if (access.who === 'public') return null;
    try {
      const role = access.who === 'role' ? access.role : access.who === 'superuser' ? access.after : undefined;
      const admitted = role ? await this.checkRole(role, request) : await this.authenticate(access, request);
      if (typeof admitted === 'function') return admitted;
      if ((access.who === 'superuser' || access.who === 'secret') && !admitted.principal.isSuperuser)
        throw new Forbidden(access.detail);
      return admitted;
    } catch (error) {
      return () => error as Error;
    }
  }

  /** A body that can't be read is told before a refusal, as long as it is short. */
  private async readBody(context: ExecutionContext, access: Access, verdict: Admitted | Refusal | null): Promise<void> {
    const http = context.switchToHttp();
    const isRefused = typeof verdict === 'function';
    const by = isRefused || access.who === 'public' ? 'stranger' : mayEdit(access) ? 'editor' : 'user';
    const [request, response] = [http.getRequest<AuthedRequest>(), http.getResponse<Response>()];
    try {
      await readRequestBody(this.bodyKind(context), { request, response, by, open: this.bodies });
    } catch (error) {
      throw isRefused && error instanceof BodyTooLarge ? verdict(context) : error;
    }
  }

  private bodyKind(context: ExecutionContext): BodyKind {
    const declared = this.reflector.get<BodyKind | undefined>(BODY_KIND, context.getHandler());
    if (declared) return declared;
    return inputModels(context.getClass(), context.getHandler().name).body ? 'json' : 'raw';
  }

  private async authenticate(access: Access, request: AuthedRequest): Promise<Admitted> {
    const token = givenToken(request);
    const bySecret = access.who === 'secret' ? await this.principals.fromSharedSecret(token, access.secret) : null;
    const principal = bySecret ?? (await this.principals.fromToken(token, request));
    if (!principal) throw new InvalidCredentials();
    return { principal };
  }

  /** Who the caller is comes before what is wrong with the path. */
  private async checkRole(role: RoleName, request: AuthedRequest): Promise<Admitted | Refusal> {
    const token = givenToken(request);
    const given = String(request.params['oid'] ?? '');
    const oid = canonicalUuid(given);
    if (oid === null) {
      if (!(await this.principals.fromToken(token, request))) throw new InvalidCredentials();
      return (context) => malformedOid(given, context);
    }
    const caller = await this.principals.withOrg(token, oid, request);
    if (!caller) throw new InvalidCredentials();
    const access = this.orgs.accessOf(caller);
    if (!access) throw new OrgNotFound();
    if (access.role < ROLE[role]) throw new Forbidden(ROLE_REFUSED[role]);
    return { principal: caller.principal, org: access };
  }
}

/** The id is told with all that is wrong with path, query and body. */
function malformedOid(given: string, context: ExecutionContext): InputRefused {
  const own = uuid().parse(given);
  const others = readRouteInput(context).issues.filter((issue) => issue.loc.join('.') !== 'path.oid');
  return new InputRefused([...(own.ok ? [] : under(['path', 'oid'], own.issues)), ...others]);
}

function givenToken(request: AuthedRequest): string {
  const token = tokenOf(request);
  if (token === null) throw new InvalidCredentials();
  return token;
}
