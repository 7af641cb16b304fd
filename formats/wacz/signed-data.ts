/** `signedData` of a `datapackage-digest.json`, by a bare key (WACZ Signing and Verification 0.1, anonymous form). */
export interface SignedData {
  /** What is signed, as text: `sha256:<hex>` of the package's `datapackage.json`. */
  readonly hash: string;
  /** ISO 8601; in a package the `created` of its `datapackage.json`, as other verifiers demand. */
  readonly created: string;
  readonly software: string;
  /** Base64 of the two numbers of the ECDSA signature, one after the other, as browsers verify it. */
  readonly signature: string;
  /** Base64 of the key's SPKI form. */
  readonly publicKey: string;
}

/** What a package asks to be signed: the hash of its `datapackage.json`, and its `created`. */
export interface ToSign {
  readonly hash: string;
  readonly created: string;
}

/** Answers the signature; null: nobody signs, or not now. */
export type SignHash = (asked: ToSign) => Promise<SignedData | null>;

const FIELDS = ['hash', 'created', 'software', 'signature', 'publicKey'] as const;
/** Longer than any such field. */
const MAX_TEXT = 10_000;

/** Takes from a message what may be written into a package, or null when it is no signature of what was asked. */
export function signedDataOf(value: unknown, { hash, created }: ToSign): SignedData | null {
  if (typeof value !== 'object' || value === null) return null;
  const given = value as Record<string, unknown>;
  const isText = (text: unknown): text is string => typeof text === 'string' && text !== '' && text.length <= MAX_TEXT;
  if (given['hash'] !== hash || given['created'] !== created) return null;
  if (!FIELDS.every((name) => isText(given[name]))) return null;
  return Object.fromEntries(FIELDS.map((name) => [name, given[name]])) as unknown as SignedData;
}
