import { readFileSync } from 'node:fs';
import { ROLE, type RoleName } from '../../common/access/access.js';
import { Secret } from '../../config/secret.js';
import { VOUCHES, type FactorAtProvider } from './strength.js';

/** Gives what it names to everybody whose claim has the value. */
export interface MappingRule {
  readonly claim: string;
  readonly value: string;
  readonly gives: { readonly org: string; readonly role: number } | 'superuser';
}

/** Who gets an account that has none: nobody, those to whom a rule gives something, everybody. */
const NEW_ACCOUNTS = ['never', 'mapped', 'always'] as const;
/** How the service proves to the provider who it is: by HTTP Basic, or in the body. */
const CLIENT_AUTH = ['basic', 'post'] as const;

/** A provider of OpenID Connect as the deployment's settings have it. */
export interface ProviderSettings {
  /** Its name in addresses. */
  readonly id: string;
  /** What people know it by. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Not set: a public client, which has PKCE alone. */
  readonly clientSecret: Secret;
  readonly clientAuth: (typeof CLIENT_AUTH)[number];
  readonly scopes: readonly string[];
  readonly newAccounts: (typeof NEW_ACCOUNTS)[number];
  /** Whether an account that is there is found by a verified address. ADR 0051. */
  readonly linksByAddress: boolean;
  /** Whether every address that it sends counts as verified. */
  readonly trustsAddresses: boolean;
  /** Whether a sign-in there counts as one with a second factor. ADR 0056. */
  readonly secondFactor: FactorAtProvider;
  readonly rules: readonly MappingRule[];
}

type Entry = Readonly<Record<string, unknown>>;

/**
 * Reads the file of OIDC_PROVIDERS_JSON; without one there is no provider.
 * @param allowsHttp whether an issuer may be without TLS
 * @throws Error that names every problem, for start-up to print
 */
export function loadProviders(file: string, allowsHttp: boolean): ProviderSettings[] {
  if (file === '') return [];
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`OIDC_PROVIDERS_JSON: ${file} cannot be read as JSON`, { cause: error });
  }
  return parseProviders(entries, allowsHttp);
}

export function parseProviders(entries: unknown, allowsHttp: boolean): ProviderSettings[] {
  if (!Array.isArray(entries)) throw new Error('OIDC_PROVIDERS_JSON: not a list');
  const problems: string[] = [];
  const providers: ProviderSettings[] = [];
  for (const [index, entry] of (entries as Entry[]).entries()) {
    try {
      const provider = toProvider(entry ?? {}, allowsHttp);
      if (providers.some(({ id }) => id === provider.id))
        throw new Error(`a second provider with the id ${provider.id}`);
      // Accounts are found by issuer and subject; of one issuer there is one set of subjects and rules.
      if (providers.some(({ issuer }) => issuer === provider.issuer))
        throw new Error('a second provider of this issuer');
      providers.push(provider);
    } catch (error) {
      problems.push(`entry ${String(index)}: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new Error(`OIDC_PROVIDERS_JSON: ${problems.join('; ')}`);
  return providers;
}

function toProvider(entry: Entry, allowsHttp: boolean): ProviderSettings {
  const id = text(entry, 'id');
  if (!/^[a-z0-9-]{1,40}$/.test(id)) throw new Error('id is not made of a-z, 0-9 and -');
  const scopes = listOf(entry, 'scopes', ['openid', 'email', 'profile']);
  return {
    id,
    name: optional(entry, 'name') ?? id,
    issuer: issuerOf(text(entry, 'issuer'), allowsHttp),
    clientId: text(entry, 'client_id'),
    clientSecret: new Secret(optional(entry, 'client_secret') ?? ''),
    clientAuth: oneOf(entry, 'client_auth', CLIENT_AUTH),
    scopes: scopes.includes('openid') ? scopes : ['openid', ...scopes],
    newAccounts: oneOf(entry, 'new_accounts', NEW_ACCOUNTS),
    linksByAddress: flag(entry, 'link_by_address'),
    trustsAddresses: flag(entry, 'trust_addresses'),
    secondFactor: {
      counts: oneOf(entry, 'second_factor', VOUCHES),
      amr: listOf(entry, 'second_factor_amr', ['mfa']),
      acr: listOf(entry, 'second_factor_acr', []),
    },
    rules: rulesOf(entry['rules'] ?? []),
  };
}

/** As the provider spells it: the issuer is compared letter by letter. */
function issuerOf(given: string, allowsHttp: boolean): string {
  const scheme = URL.canParse(given) ? new URL(given).protocol : '';
  if (scheme === 'https:' || (scheme === 'http:' && allowsHttp)) return given;
  throw new Error('issuer is not an https address');
}

function rulesOf(given: unknown): MappingRule[] {
  if (!Array.isArray(given)) throw new Error('rules is not a list');
  return (given as Entry[]).map((rule, index) => {
    try {
      return toRule(rule ?? {});
    } catch (error) {
      throw new Error(`rule ${String(index)}: ${(error as Error).message}`, { cause: error });
    }
  });
}

function toRule(rule: Entry): MappingRule {
  const [claim, value] = [text(rule, 'claim'), text(rule, 'value')];
  if (flag(rule, 'superuser')) return { claim, value, gives: 'superuser' };
  const roles = ['viewer', 'crawler', 'owner'] as const satisfies readonly RoleName[];
  return { claim, value, gives: { org: text(rule, 'org'), role: ROLE[oneOf(rule, 'role', roles)] } };
}

function text(entry: Entry, field: string): string {
  const value = optional(entry, field);
  if (value === undefined) throw new Error(`${field} is missing`);
  return value;
}

/** Absent, null and empty mean the same. */
function optional(entry: Entry, field: string): string | undefined {
  const value = entry[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new Error(`${field} is not a string`);
  return value;
}

function flag(entry: Entry, field: string): boolean {
  const value = entry[field] ?? false;
  if (typeof value !== 'boolean') throw new Error(`${field} is neither true nor false`);
  return value;
}

function listOf(entry: Entry, field: string, fallback: string[]): string[] {
  const value = entry[field] ?? fallback;
  if (Array.isArray(value) && value.every((word) => typeof word === 'string' && /^[\x21-\x7e]+$/.test(word)))
    return value as string[];
  throw new Error(`${field} is not a list of words`);
}

/** The first word is what an absent field means. */
function oneOf<const W extends string>(entry: Entry, field: string, words: readonly [W, ...W[]]): W {
  const value = optional(entry, field) ?? words[0];
  const word = words.find((known) => known === value);
  if (!word) throw new Error(`${field} is none of ${words.join(', ')}`);
  return word;
}
