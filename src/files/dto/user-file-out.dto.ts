import { Str, Uuid, TimeText } from '../../common/validation/fields.js';
import { PublicUserFileOut } from './public-user-file-out.dto.js';

/** A file that a user gave: a thumbnail, a list of seeds. */
export class UserFileOut extends PublicUserFileOut {
  @Str() originalFilename!: string;
  @Uuid() userid!: string;
  @Str() userName!: string;
  @TimeText() created!: string;
}
