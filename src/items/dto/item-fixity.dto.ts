import { TimeText, Enum } from '../../common/validation/fields.js';
import { FIXITY_RESULTS, type FixityResult } from '../../objects/data/fixity-mark.facts.js';

/** Addition of ours: when an item's files were last read and compared with their records, and the worst result. */
export class ItemFixity {
  @TimeText() lastVerified!: string;
  @Enum('FixityResult', FIXITY_RESULTS) result!: FixityResult;
}
