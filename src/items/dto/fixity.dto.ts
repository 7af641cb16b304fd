import { Str, Bool, ListOf, Nested, TimeText, Enum } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { FIXITY_RESULTS, type FixityResult } from '../../objects/data/fixity-mark.facts.js';

export class FileSignature {
  /** Whether the named key signed this package. Whether the key itself is trusted is not checked. */
  @Bool() valid!: boolean;
  /** Name in the signer's certificate. */
  @Str({ nullable: true }) domain!: string | null;
  /** Base64 of the key's SPKI form, for a signer without a certificate. */
  @Str({ nullable: true }) publicKey!: string | null;
  @Str({ nullable: true }) created!: string | null;
  @Str({ nullable: true }) software!: string | null;
}

export class FileVerification {
  /** Whether the package's members match its `datapackage.json`; null when it has none. */
  @Bool({ nullable: true }) intact!: boolean | null;
  @ListOf(str()) problems!: string[];
  @Nested(() => FileSignature, { nullable: true }) signature!: FileSignature | null;
}

/** When an item's files were last verified against their records, and the worst result. This is ours. */
export class ItemFixity {
  @TimeText() lastVerified!: string;
  @Enum('FixityResult', FIXITY_RESULTS) result!: FixityResult;
}
