import { own } from '../../common/objects/own.js';
import type { MappingRule } from './provider-settings.js';

/** What a provider says of a person. */
export type ClaimSet = Readonly<Record<string, unknown>>;

/** What the rules give to a person: the highest role by slug of the org, and whether they are a superuser. */
export interface Mapped {
  readonly roles: ReadonlyMap<string, number>;
  readonly isSuperuser: boolean;
}

export function mapped(rules: readonly MappingRule[], claims: ClaimSet): Mapped {
  const roles = new Map<string, number>();
  let isSuperuser = false;
  for (const { claim, value, gives } of rules) {
    if (!valuesOf(claimAt(claims, claim)).includes(value)) continue;
    if (gives === 'superuser') isSuperuser = true;
    else roles.set(gives.org, Math.max(gives.role, roles.get(gives.org) ?? 0));
  }
  return { roles, isSuperuser };
}

/** A claim of this name, which may be an address (`https://example.org/groups`); else a path into nested ones. */
function claimAt(claims: ClaimSet, name: string): unknown {
  const whole = own(claims, name);
  if (whole !== undefined) return whole;
  return name
    .split('.')
    .reduce<unknown>(
      (at, part) => (typeof at === 'object' && at !== null ? own(at as ClaimSet, part) : undefined),
      claims,
    );
}

const valuesOf = (claim: unknown): string[] =>
  (Array.isArray(claim) ? (claim as unknown[]) : [claim])
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(String);
