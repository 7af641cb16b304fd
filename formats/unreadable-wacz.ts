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
