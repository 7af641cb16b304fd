import { ListOf, Nested, Str, TimeText } from '../../common/validation/fields.js';

/** The public half of a key that an org has, or has had. */
export class OrgSigningKey {
  /** SHA-256 of the key's SPKI form, in hex. */
  @Str() id!: string;
  /** Base64 of the SPKI form. */
  @Str() publicKey!: string;
  @TimeText() created!: string;
  /** Since when the key signs nothing more; null for the one that signs. */
  @TimeText({ nullable: true }) retired!: string | null;
}

export class OrgSigningKeys {
  /** The key that signs the org's archives; null: the installation's does. */
  @Nested(() => OrgSigningKey, { nullable: true }) current!: OrgSigningKey | null;
  /** All keys that the org has had, the newest first. */
  @ListOf(() => OrgSigningKey) keys!: OrgSigningKey[];
}
