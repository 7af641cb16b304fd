import type { ClaimSet } from './mapping.js';

/** Whether sign-ins at a provider count as with a second factor: none, all, or those of which it says so. */
export const VOUCHES = ['never', 'claimed', 'always'] as const;

export interface FactorAtProvider {
  readonly counts: (typeof VOUCHES)[number];
  /** Methods (RFC 8176) of which one says so. */
  readonly amr: readonly string[];
  /** Classes of which one says so; they are asked for as well. */
  readonly acr: readonly string[];
}

/** How the provider says that it proved the person. */
export interface ProvenStrength {
  readonly amr: readonly string[];
  readonly acr: string | null;
}

export function strengthIn({ amr, acr }: ClaimSet): ProvenStrength {
  const methods = Array.isArray(amr) ? (amr as unknown[]) : [];
  return {
    amr: methods.filter((method) => typeof method === 'string'),
    acr: typeof acr === 'string' ? acr : null,
  };
}

export function vouchesForFactor(counting: FactorAtProvider, { amr, acr }: ProvenStrength): boolean {
  if (counting.counts !== 'claimed') return counting.counts === 'always';
  return amr.some((method) => counting.amr.includes(method)) || (acr !== null && counting.acr.includes(acr));
}
