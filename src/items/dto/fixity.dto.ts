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
  /** What signed the file. */
  @Str({ nullable: true }) software!: string | null;
}

export class FileVerification {
  /** Whether the package's members match its `datapackage.json`; null when it has none. */
  @Bool({ nullable: true }) intact!: boolean | null;
  /** What is wrong with the file, in words; empty: nothing. */
  @ListOf(str()) problems!: string[];
  /** Who signed the file; null: it is not signed. */
  @Nested(() => FileSignature, { nullable: true }) signature!: FileSignature | null;
}

/** When an item's files were last verified against their records, and the worst result. This is ours. */
export class ItemFixity {
  /** When the files were last compared with their records. */
  @TimeText() lastVerified!: string;
  /** What the comparison found. */
  @Enum('FixityResult', FIXITY_RESULTS) result!: FixityResult;
}
