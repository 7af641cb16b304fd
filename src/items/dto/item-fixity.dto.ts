import { enumOf } from '../../common/validation/composites.js';
import { dateTime } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { FIXITY_RESULTS, type FixityResult } from '../../objects/data/fixity-mark.facts.js';

/** Addition of ours: when an item's files were last read and compared with their records, and the worst result. */
export class ItemFixity {
  @Field(dateTime()) lastVerified!: string;
  @Field(enumOf('FixityResult', FIXITY_RESULTS)) result!: FixityResult;
}
