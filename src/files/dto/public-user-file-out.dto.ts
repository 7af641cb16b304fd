import { Str, Int } from '../../common/validation/fields.js';

/** What strangers may know of a file that a user gave. */
export class PublicUserFileOut {
  @Str() name!: string;
  /** Where it is served, for a while. */
  @Str() path!: string;
  /** SHA-256 of the stored bytes, hex. */
  @Str() hash!: string;
  /** Bytes. */
  @Int() size!: number;
  @Str() mime!: string;
}
