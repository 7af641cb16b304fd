import { invalid, notFound } from '../common/errors/domain-error.js';

/** The item in this org has no such page. */
export class PageNotFound extends notFound('page_not_found') {}
/** The page has no such note. */
export class PageNoteNotFound extends notFound('page_note_not_found') {}

/** A filter names a QA measure without a bound. */
export class RangeMissing extends invalid('range_missing') {}

/** Pages can be ordered by a QA measure only within a QA run. */
export class QaRunMissingForSort extends invalid('qa_run_id_missing_for_qa_sort') {}
