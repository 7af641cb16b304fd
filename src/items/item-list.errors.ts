import { invalid } from '../common/errors/domain-error.js';

/** A review filter is one value or the two ends of a range, 1 to 5. */
export class InvalidQaReviewRange extends invalid('invalid_qa_review_range') {}

/** An empty list of items to delete. */
export class NothingToDelete extends invalid('nothing_to_delete') {}
