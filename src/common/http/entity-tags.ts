/** Whether a header that lists tags, or `*`, names this one. Compared weakly, as `If-None-Match` is: RFC 9110 §13.1.2. */
export const listsTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header
    .split(',')
    .some((listed) => listed.trim() === '*' || listed.trim().replace(/^W\//, '') === tag.replace(/^W\//, ''));
