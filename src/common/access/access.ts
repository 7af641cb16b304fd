import { applyDecorators, SetMetadata, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import { canonicalUuid } from '../ids/uuid.js';
import type { KeyScope } from './key-scopes.js';

/** Roles, stored per org member. A superuser passes every check and is shown as 100. Contract: accounts §7.1. */
export const ROLE = { viewer: 10, crawler: 20, owner: 40, superadmin: 100 } as const;
export type RoleName = 'viewer' | 'crawler' | 'owner';

/** What a member with too low a role is told. Contract: accounts §7.1. */
export const ROLE_REFUSED: Record<RoleName, string> = {
  viewer: 'User does not have permission to view this organization',
  crawler: 'User does not have permission to modify crawls',
  owner: 'User does not have permission to perform this action',
};

/** What the automation client may do by its secret alone. */
export type SecretUse = 'org-create' | 'subscriptions';

/** What a handler demands of its caller. */
export type Access =
  | { readonly who: 'public' }
  | { readonly who: 'user' }
  | { readonly who: 'role'; readonly role: RoleName }
  | { readonly who: 'superuser'; readonly after?: RoleName; readonly detail: string }
  | { readonly who: 'secret'; readonly secret: SecretUse; readonly detail: string };

export const ACCESS = Symbol('access');
/** Name of the contract's OpenAPI security scheme. */
export const SECURITY_SCHEME = 'OA2BearerOrQuery';
/** Tells the document's writer what an operation demands. */
export const ACCESS_EXTENSION = 'x-access';
const declare = (access: Access): MethodDecorator & ClassDecorator =>
  applyDecorators(
    SetMetadata(ACCESS, access),
    ApiExtension(ACCESS_EXTENSION, access),
    ...(access.who === 'public' ? [] : [ApiSecurity(SECURITY_SCHEME)]),
  );

/** Anyone, no token needed. */
export const Public = () => declare({ who: 'public' });
/** Any valid login. */
export const RequireUser = () => declare({ who: 'user' });
/** A member of the org in `:oid` with at least this role, or a superuser. */
export const RequireRole = (role: RoleName) => declare({ who: 'role', role });
/**
 * A superuser. With `after`, the org in `:oid` is resolved and that role is checked first (the contract's "owner→super").
 * @param detail the contract's 403 text: `Not Allowed` for orgs and jobs, `not_allowed` for users and subscriptions
 */
export const RequireSuperuser = (detail: 'Not Allowed' | 'not_allowed' = 'Not Allowed', after?: RoleName) =>
  declare({ who: 'superuser', detail, after });
/** The automation client's shared secret, or a superuser. Contract: accounts §2.4. */
export const RequireSharedSecret = (secret: SecretUse) =>
  declare({ who: 'secret', secret, detail: secret === 'org-create' ? 'Not Allowed' : 'not_allowed' });

/** An API key by which a caller came, which bounds what they may do. */
export interface KeyGrant {
  readonly id: string;
  /** The only org that the key opens; null: all of its creator's. */
  readonly oid: string | null;
  readonly scopes: readonly KeyScope[];
  /** When it ends by itself; null: never. */
  readonly expiresAt: Date | null;
  /** How it came: itself, or by a token that a log-in gave for it. */
  readonly by: 'key' | 'token';
  /** Whether its creator is a superuser now, who owns every org. */
  readonly isOfSuperuser: boolean;
  /** Role of the service account whose key it is; missing for keys of people. */
  readonly serviceRole?: number;
  /** The only workflows and collections that it reaches, with their items; missing: all. */
  readonly only?: { readonly workflows: readonly string[]; readonly collections: readonly string[] };
}

/** The log-in to which a caller's token belongs. */
export interface OwnSession {
  readonly id: string;
  /** When it ends by itself. */
  readonly until: Date;
  readonly created: Date;
  /** How it began, such as `password`. */
  readonly how: string;
  /** What was proved beside the password; null: nothing. */
  readonly factor: string | null;
}

/** The authenticated caller. */
export interface Principal {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** False for keys of one org, whoever made them. */
  readonly isSuperuser: boolean;
  readonly isVerified: boolean;
  readonly key?: KeyGrant;
  /** Missing for tokens that name no session, for keys and for passwords. */
  readonly session?: OwnSession;
  /** A log-in without a second factor, which some orgs demand. Keys and the shared secret are none. ADR 0056. */
  readonly lacksFactor?: boolean;
  /** The automation client, which acts as the superuser by the shared secret. */
  readonly isBySecret?: boolean;
  /** A superuser who counts as a normal user, because the deployment wants a second factor of superusers. */
  readonly isHeldBack?: boolean;
}

/** The org of the request's `:oid` and the caller's standing in it. */
export interface OrgAccess<Org = unknown> {
  readonly oid: string;
  readonly org: Org;
  /** 10, 20, 40; 100 for a superuser. */
  readonly role: number;
}

/** A caller who is let in, and their role where the route belongs to an org. */
export interface Admitted {
  readonly principal: Principal;
  readonly org?: OrgAccess;
  /** Whether the route changes what an org or the deployment keeps. */
  readonly mayEdit?: boolean;
}

export interface AuthedRequest extends Request {
  /** The guard's decision. It is an empty object on a public route, and rejects with the refusal. */
  admission?: Promise<Partial<Admitted>>;
  readonly principal?: Principal;
  readonly orgAccess?: OrgAccess;
}

/** Id of the org that the request's path names; null when the path has no `:oid` or no valid one. */
export const oidOf = (request: Request): string | null => canonicalUuid(String(request.params['oid'] ?? ''));

const requestOf = (context: ExecutionContext): AuthedRequest => context.switchToHttp().getRequest<AuthedRequest>();

export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).principal);
/** The stored org of `:oid`. */
export const CurrentOrg = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).orgAccess?.org,
);
export const CurrentOrgAccess = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).orgAccess,
);

/** Whether the caller has at least this role in the org of the request. */
export const hasRole = (access: OrgAccess, role: RoleName): boolean => access.role >= ROLE[role];
