import type { Schemas } from '../../api/client';

export type ApiKey = Schemas['ApiKeyOut'];
export type KeyScope = Schemas['ApiKeyScope'];

/** Keys of an org, of a person or of a service account: where they are read, made and revoked. */
export interface KeyRing {
  readonly kind: 'org' | 'own' | 'service';
  /** The service account whose keys they are. */
  readonly of?: string;
  /** The org whose workflows and collections a key may be limited to; missing for personal keys. */
  readonly oid?: string;
  readonly query: {
    readonly data?: Schemas['ApiKeysOut'] | undefined;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly refetch: () => unknown;
  };
  readonly scopes: readonly KeyScope[];
  /** @throws ApiProblem */
  readonly make: (key: Schemas['ApiKeyCreate']) => Promise<Schemas['ApiKeyCreated'] | undefined>;
  /** @throws ApiProblem */
  readonly revoke: (keyId: string) => Promise<unknown>;
}

/** What keys can be made for, what looks beside what changes. */
export const ORG_SCOPES: readonly KeyScope[] = [
  'items:read',
  'items:write',
  'uploads:write',
  'crawls:run',
  'workflows:read',
  'workflows:write',
  'collections:read',
  'collections:write',
  'profiles:read',
  'profiles:write',
  'org:read',
  'org:admin',
  'webhooks:read',
  'webhooks:write',
  'qa:run',
];
/** Of superusers' own keys alone. */
export const ALL_SCOPES: readonly KeyScope[] = [...ORG_SCOPES, 'system:admin'];

export const EXPIRIES = ['30', '90', '365', 'day', 'never'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAY_MS = 86_400_000;

/** When a key ends: so many days from now, or with the last second of a day of the person's calendar. */
export function endOf(expiry: Expiry, day: string, now: Date): string | null {
  if (expiry === 'never') return null;
  const end = expiry === 'day' ? new Date(`${day}T23:59:59`) : new Date(now.getTime() + Number(expiry) * DAY_MS);
  return end.toISOString();
}
