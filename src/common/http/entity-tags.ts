/** Whether a header (tags or `*`) names this tag. Compared weakly, as for `If-None-Match`: RFC 9110 §13.1.2. */
export const listsTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header
    .split(',')
    .some((listed) => listed.trim() === '*' || listed.trim().replace(/^W\//, '') === tag.replace(/^W\//, ''));
