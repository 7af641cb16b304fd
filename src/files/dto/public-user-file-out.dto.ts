import { Field } from '../../common/validation/model.js';
import { int, str } from '../../common/validation/scalars.js';

/** What strangers may know of a file that a user gave. */
export class PublicUserFileOut {
  @Field(str()) name!: string;
  /** Where it is served, for a while. */
  @Field(str()) path!: string;
  /** SHA-256 of the stored bytes, hex. */
  @Field(str()) hash!: string;
  /** Bytes. */
  @Field(int()) size!: number;
  @Field(str()) mime!: string;
}
