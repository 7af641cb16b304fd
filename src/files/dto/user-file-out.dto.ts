import { dateTime, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';
import { PublicUserFileOut } from './public-user-file-out.dto.js';

/** A file that a user gave: a thumbnail, a list of seeds. */
export class UserFileOut extends PublicUserFileOut {
  @Field(str()) originalFilename!: string;
  @Field(uuid()) userid!: string;
  @Field(str()) userName!: string;
  @Field(dateTime()) created!: string;
}
