import { ListOf, Str, TimeText } from '../../common/validation/fields.js';

/** A public key of the installation. */
export class PublishedKey {
  /** SHA-256 of the key's SPKI form, in hex. */
  @Str() id!: string;
  /** Curve and digest of its signatures. */
  @Str() algorithm!: string;
  /** Base64 of the SPKI form. */
  @Str() publicKey!: string;
  @TimeText() created!: string;
  /** Since when the key signs nothing more; null for the one that signs. */
  @TimeText({ nullable: true }) retired!: string | null;
}

export class PublishedKeys {
  /** The newest first. */
  @ListOf(() => PublishedKey) keys!: PublishedKey[];
}
