/** A member of a combined download could not be read to its end, after all retries. Contract: archive.md §3. */
export class MemberUnavailable extends Error {
  constructor(
    readonly member: string,
    options?: { cause?: unknown },
  ) {
    super(`member ${member} could not be read`, options);
    this.name = 'MemberUnavailable';
  }
}
