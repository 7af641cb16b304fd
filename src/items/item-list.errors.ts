import { invalid } from '../common/errors/domain-error.js';

/** A review filter is neither one value nor the two ends of a range from 1 to 5. */
export class InvalidQaReviewRange extends invalid('invalid_qa_review_range') {}

/** The list of items to delete is empty. */
export class NothingToDelete extends invalid('nothing_to_delete') {}
