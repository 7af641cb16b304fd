/**
 * Whether a client that sent this `If-None-Match` has the answer with this `ETag`: a list of validators, compared weakly,
 * or `*`. RFC 9110 §13.1.2.
 */
export const hasAnswer = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch
    .split(',')
    .some((given) => given.trim() === '*' || given.trim().replace(/^W\//, '') === tag.replace(/^W\//, ''));
