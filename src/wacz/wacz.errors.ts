/** Why an archive cannot be read. `reason` is stable; the message is for logs. */
export type WaczProblem = 'not-a-zip' | 'truncated' | 'corrupt' | 'encrypted' | 'unsupported' | 'too-large';

/** The file is not a readable WACZ: whatever a stranger uploads ends here, never in a crash. */
export class UnreadableWacz extends Error {
  constructor(
    readonly reason: WaczProblem,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'UnreadableWacz';
  }
}

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
