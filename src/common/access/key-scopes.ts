import { applyDecorators, RequestMethod, SetMetadata, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { failure } from '../errors/domain-error.js';
import { ACCESS, type Access } from './access.js';

/** What API keys may be made for. No scope has another in it: a key that writes reads only if it says so as well. */
export const KEY_SCOPES = [
  'items:read',
  'items:write',
  'uploads:write',
  'crawls:run',
  'workflows:read',
  'workflows:write',
  'profiles:read',
  'profiles:write',
  'collections:read',
  'collections:write',
  'qa:run',
  'org:read',
  'org:admin',
  'webhooks:read',
  'webhooks:write',
  'system:admin',
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** What a route demands of a key: a scope; `any`: that it is good; `none`: keys may not. */
export type KeyDemand = KeyScope | 'any' | 'none';

/** The key lacks the scope that the route demands. */
export class KeyScopeMissing extends failure('forbidden', 'api_key_scope_missing') {}
/** The key is limited to workflows or collections, and the request is about something else, or about more. */
export class KeyLimited extends failure('forbidden', 'api_key_limited') {}
/** The route is for people: no key opens it, whatever its scopes. */
export class KeysRefused extends failure('forbidden', 'api_keys_refused') {}

/** Where `@ApiTags` keeps the tags; the package does not export the name. */
const API_TAGS = 'swagger/apiUseTags';
const KEY_DEMAND = Symbol('key demand');
const demand = (of: KeyDemand): MethodDecorator & ClassDecorator => applyDecorators(SetMetadata(KEY_DEMAND, of));

/** Names the scope of a route where tag and method do not say enough. */
export const KeyScopeIs = (scope: KeyScope) => demand(scope);
/** Opens the route to every good key, because its answer tells no more than the key may know. */
export const AnyKey = () => demand('any');
/** Closes the route to keys: it gives access out, or its answer would outlive the key. ADR 0050. */
export const KeysMayNot = () => demand('none');

/** Scopes by the first tag of a route: of those that read, and of those that write. */
const BY_TAG: Readonly<Record<string, readonly [read: KeyDemand, write: KeyDemand]>> = {
  'all-crawls': ['items:read', 'items:write'],
  'api-keys': ['none', 'none'],
  audit: ['org:admin', 'org:admin'],
  auth: ['none', 'none'],
  collections: ['collections:read', 'collections:write'],
  crawlconfigs: ['workflows:read', 'workflows:write'],
  crawls: ['items:read', 'items:write'],
  invites: ['org:admin', 'org:admin'],
  jobs: ['items:read', 'items:write'],
  organizations: ['org:read', 'org:admin'],
  pages: ['items:read', 'items:write'],
  profiles: ['profiles:read', 'profiles:write'],
  qa: ['items:read', 'qa:run'],
  uploads: ['items:read', 'uploads:write'],
  userfiles: ['workflows:read', 'workflows:write'],
  users: ['none', 'none'],
  wasapi: ['items:read', 'items:write'],
  webhooks: ['webhooks:read', 'webhooks:write'],
};

const READS: readonly RequestMethod[] = [RequestMethod.GET, RequestMethod.HEAD, RequestMethod.OPTIONS];

type Handler = (...args: never[]) => unknown;

/** Metadata of a handler, or else of its class. */
const said = <T>(key: symbol | string, handler: Handler, controller: Type): T | undefined =>
  (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as T | undefined;

/** By controller and handler: several controllers inherit the handlers of one. */
const derived = new WeakMap<Type, Map<Handler, KeyDemand | null>>();

/**
 * What a route demands of a key: what it names, else by what its declared access, tag and method say.
 * @returns null when none of them says it; then the app does not start
 */
export function keyDemandOf(controller: Type, handler: Handler): KeyDemand | null {
  const ofController = derived.get(controller) ?? new Map<Handler, KeyDemand | null>();
  derived.set(controller, ofController);
  const known = ofController.get(handler);
  if (known !== undefined) return known;
  const found = derive(controller, handler);
  ofController.set(handler, found);
  return found;
}

function derive(controller: Type, handler: Handler): KeyDemand | null {
  const named = said<KeyDemand>(KEY_DEMAND, handler, controller);
  if (named) return named;
  const access = said<Access>(ACCESS, handler, controller);
  if (access?.who === 'public') return 'any';
  if (access?.who === 'superuser' || access?.who === 'secret') return 'system:admin';
  const [tag = ''] = said<string[]>(API_TAGS, handler, controller) ?? [];
  const [read, write] = BY_TAG[tag] ?? [null, null];
  const isRead = READS.includes(Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod);
  // What only owners see of an org is part of running it.
  if (tag === 'organizations' && access?.who === 'role' && access.role === 'owner') return write;
  return isRead ? read : write;
}
