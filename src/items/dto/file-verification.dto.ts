import { list, model, nullable } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { bool, str } from '../../common/validation/scalars.js';

export class FileSignature {
  /** The signature is of this package, by the key that it names. Whether that key is to be trusted is not looked at. */
  @Field(bool()) valid!: boolean;
  /** Name in the signer's certificate. */
  @Field(nullable(str())) domain!: string | null;
  /** Of a signer without a certificate: base64 of the key's SPKI form. */
  @Field(nullable(str())) publicKey!: string | null;
  @Field(nullable(str())) created!: string | null;
  @Field(nullable(str())) software!: string | null;
}

export class FileVerification {
  /** Whether the package's members are what its `datapackage.json` says; null when there is none. */
  @Field(nullable(bool())) intact!: boolean | null;
  @Field(list(str())) problems!: string[];
  @Field(nullable(model(() => FileSignature))) signature!: FileSignature | null;
}
