import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import type { Response } from 'express';
import { Forbidden, InvalidCredentials, OrgNotFound } from '../errors/domain-error.js';
import { OpenBodies } from '../http/open-bodies.js';
import { BODY_KIND, type BodyKind } from '../validation/body-kind.js';
import { BodyTooLarge, readRequestBody } from '../validation/body-reader.js';
import { uuid } from '../validation/formats.js';
import { InputRefused, type Issue } from '../validation/issue.js';
import { InputIssues, inputModels } from '../validation/input-issues.interceptor.js';
import { faultsOf } from '../validation/kind.js';
import {
  ACCESS,
  ROLE,
  oidOf,
  type Access,
  type AuthedRequest,
  type OrgAccess,
  type Principal,
  type RoleName,
  type SecretUse,
} from './access.js';
import { OrgResolver, PrincipalResolver, type CallerAndOrg } from './resolvers.js';
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
type Refusal = () => Error;

/** Whether the route changes what an org or the deployment keeps. */
const mayEdit = (access: Access): boolean =>
  access.who !== 'user' && !(access.who === 'role' && access.role === 'viewer');

/**
 * The one guard: Nest's for passport, whose strategies tell who comes, and what the route declares. Answers in this
 * order: body is readable, caller is known, org exists for the caller, role, superuser; but who comes is found out
 * first, since a body is read no further than its sender is good for (ADR 0012).
 * A handler that declares no access is refused. Contract: accounts §1.2, §7.1.
 */
@Injectable()
export class AccessGuard extends AuthGuard() {
  /** @param strategies names those that a token may be good for */
  constructor(
    strategies: AuthModuleOptions,
    private readonly reflector: Reflector,
    private readonly principals: PrincipalResolver,
    private readonly orgs: OrgResolver,
    private readonly bodies: OpenBodies,
    private readonly issues: InputIssues,
  ) {
    super(strategies);
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!access) throw new Forbidden('Not Allowed');
    const request = context.switchToHttp().getRequest<AuthedRequest>();
    const verdict = await this.judge(access, context);
    await this.readBody(context, access, verdict);
    if (typeof verdict === 'function') throw verdict();
    request.principal = verdict?.principal;
    request.orgAccess = verdict?.org;
    return true;
  }

  /** Passport's verdict. @throws InvalidCredentials */
  override handleRequest<Caller = CallerAndOrg>(error: unknown, caller: Caller | false | null): Caller {
    if (error) throw error as Error;
    if (!caller) throw new InvalidCredentials();
    return caller;
  }

  /** What is decided without the body: only then is known how much of one is worth reading. */
  private async judge(access: Access, context: ExecutionContext): Promise<Admitted | Refusal | null> {
    if (access.who === 'public') return null;
    try {
      const role = access.who === 'role' ? access.role : access.who === 'superuser' ? access.after : undefined;
      const admitted = role ? await this.checkRole(role, context) : await this.authenticate(access, context);
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
      throw isRefused && error instanceof BodyTooLarge ? verdict() : error;
    }
  }

  private bodyKind(context: ExecutionContext): BodyKind {
    const declared = this.reflector.get<BodyKind | undefined>(BODY_KIND, context.getHandler());
    if (declared) return declared;
    return inputModels(context.getClass(), context.getHandler().name).body ? 'json' : 'raw';
  }

  private async authenticate(access: Access, context: ExecutionContext): Promise<Admitted> {
    const bySecret = access.who === 'secret' ? await this.bySecret(access.secret, context) : null;
    return { principal: bySecret ?? (await this.callerOf(context)).principal };
  }

  private async bySecret(use: SecretUse, context: ExecutionContext): Promise<Principal | null> {
    const token = tokenOf(context.switchToHttp().getRequest<AuthedRequest>());
    return token === null ? null : this.principals.fromSharedSecret(token, use);
  }

  /** Who the caller is comes before what is wrong with the path. */
  private async checkRole(role: RoleName, context: ExecutionContext): Promise<Admitted | Refusal> {
    const request = context.switchToHttp().getRequest<AuthedRequest>();
    const caller = await this.callerOf(context);
    if (oidOf(request) === null) return () => this.malformedOid(request, context);
    const access = this.orgs.accessOf(caller);
    if (!access) throw new OrgNotFound();
    if (access.role < ROLE[role]) throw new Forbidden(ROLE_REFUSED[role]);
    return { principal: caller.principal, org: access };
  }

  /** @throws InvalidCredentials */
  private async callerOf(context: ExecutionContext): Promise<CallerAndOrg> {
    await super.canActivate(context);
    return context.switchToHttp().getRequest<{ user: CallerAndOrg }>().user;
  }

  /** The id is told with all that is wrong with path, query and body. */
  private malformedOid({ params }: AuthedRequest, context: ExecutionContext): InputRefused {
    const input = String(params['oid'] ?? '');
    const own = faultsOf(uuid(), input).map((fault): Issue => ({ ...fault, loc: ['path', 'oid'], input }));
    return new InputRefused([...own, ...this.issues.of(context).filter(({ loc }) => loc.join('.') !== 'path.oid')]);
  }
}
