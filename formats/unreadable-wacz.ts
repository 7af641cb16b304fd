/** Why an archive cannot be read. `reason` is stable; the message is for logs. */
export type WaczProblem = 'not-a-zip' | 'truncated' | 'corrupt' | 'encrypted' | 'unsupported' | 'too-large';

/** The file is not a readable WACZ. Every fault of an uploaded file ends as this error, never as a crash. */
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
