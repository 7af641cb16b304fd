import { documentOf, MOMENT, TEXT } from '../../database/described.js';

/** Results of verifying files against their record, best first. `repaired` means: replaced from a good copy. */
export const FIXITY_RESULTS = ['ok', 'repaired', 'unreachable', 'damaged', 'missing'] as const;
export type FixityResult = (typeof FIXITY_RESULTS)[number];

/** When a document's files were last verified, and the worst result. This field is ours; the document holds it. */
export interface FixityMark {
  readonly lastVerified: Date;
  readonly result: FixityResult;
}
export const FIXITY_MARK = documentOf({ lastVerified: MOMENT, result: TEXT }, ['lastVerified', 'result']);
