import { Str, Bool, ListOf, Nested, TimeText, Enum } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';
import { FIXITY_RESULTS, type FixityResult } from '../../objects/data/fixity-mark.facts.js';

export class FileSignature {
  /** The signature is of this package, by the key that it names. Whether that key is to be trusted is not looked at. */
  @Bool() valid!: boolean;
  /** Name in the signer's certificate. */
  @Str({ nullable: true }) domain!: string | null;
  /** Of a signer without a certificate: base64 of the key's SPKI form. */
  @Str({ nullable: true }) publicKey!: string | null;
  @Str({ nullable: true }) created!: string | null;
  @Str({ nullable: true }) software!: string | null;
}

export class FileVerification {
  /** Whether the package's members are what its `datapackage.json` says; null when there is none. */
  @Bool({ nullable: true }) intact!: boolean | null;
  @ListOf(str()) problems!: string[];
  @Nested(() => FileSignature, { nullable: true }) signature!: FileSignature | null;
}

/** Addition of ours: when an item's files were last read and compared with their records, and the worst result. */
export class ItemFixity {
  @TimeText() lastVerified!: string;
  @Enum('FixityResult', FIXITY_RESULTS) result!: FixityResult;
}
