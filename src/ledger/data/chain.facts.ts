/** What the first day of a chain has for the digest before it. */
export const FIRST_DIGEST = '0'.repeat(64);

/** The folder of the entries that belong to no org, and the id of their chain. */
export const SYSTEM = 'system';

/** Id of the chain of an org's days. @param oid null: the entries without an org */
export const chainOf = (oid: string | null): string => oid ?? SYSTEM;

/** The end of what was cut, which the installation has signed. */
export interface AuditCheckpoint {
  /** The last day that was cut. */
  readonly day: string;
  /** Digest of that day. */
  readonly digest: string;
  readonly cutAt: Date;
  /** SHA-256 of the key's SPKI form, in hex. */
  readonly keyId: string;
  /** ECDSA P-384 with SHA-256 of `checkpointText`, base64 of the two numbers. */
  readonly signature: string;
}

/** A place in a list of entries: behind this one. */
export interface AuditPlace {
  readonly at: Date;
  readonly id: string;
}
