import { documentOf, MOMENT, TEXT } from '../../database/described.js';

/** How the files of a record compared with it, best first; `repaired`: from a copy. */
export const FIXITY_RESULTS = ['ok', 'repaired', 'unreachable', 'damaged', 'missing'] as const;
export type FixityResult = (typeof FIXITY_RESULTS)[number];

/** Kept with what records files; ours: when they were last read and compared, and the worst result. */
export interface FixityMark {
  readonly lastVerified: Date;
  readonly result: FixityResult;
}
export const FIXITY_MARK = documentOf({ lastVerified: MOMENT, result: TEXT }, ['lastVerified', 'result']);
