import { invalid, notFound } from '../common/errors/domain-error.js';

/** No such page in this item and org. */
export class PageNotFound extends notFound('page_not_found') {}
export class PageNoteNotFound extends notFound('page_note_not_found') {}

/** A QA measure is to be filtered by, and no bound says how. */
export class RangeMissing extends invalid('range_missing') {}

/** Pages can be ordered by a QA measure only within a QA run. */
export class QaRunMissingForSort extends invalid('qa_run_id_missing_for_qa_sort') {}
