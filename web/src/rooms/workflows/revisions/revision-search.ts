/** Which two revisions the address compares; numbers of revisions. */
export interface RevisionSearch {
  readonly older?: number;
  readonly newer?: number;
}

const revision = (value: unknown): number | undefined => {
  const number = Number(value);
  return value !== undefined && Number.isInteger(number) && number >= 0 ? number : undefined;
};

export function revisionSearch(search: Record<string, unknown>): RevisionSearch {
  const [older, newer] = [revision(search['older']), revision(search['newer'])];
  return { ...(older === undefined ? {} : { older }), ...(newer === undefined ? {} : { newer }) };
}
