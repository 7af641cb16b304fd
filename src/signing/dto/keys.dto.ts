import { ListOf, Nested, Str, TimeText, Uuid } from '../../common/validation/fields.js';

/** An org that has a key of its own. */
export class PublishedKeyOrg {
  @Uuid() id!: string;
  /** Its name when the key was made. */
  @Str() name!: string;
}

/** A public key of the installation, or of an org. */
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
  /** The org whose archives alone it signs; null for the key of the installation. */
  @Nested(() => PublishedKeyOrg, { nullable: true }) org!: PublishedKeyOrg | null;
}

export class PublishedKeys {
  /** The newest first. */
  @ListOf(() => PublishedKey) keys!: PublishedKey[];
}
