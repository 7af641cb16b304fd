import type { OriginalCapture } from '../protocol.js';

/** Knows which bodies earlier items hold. */
export abstract class Originals {
  /** An earlier capture of the body; undefined when there is none or it can't be found out. Never rejects. */
  abstract find(digest: string): Promise<OriginalCapture | undefined>;

  /** Answers every open question with nothing, and asks no more: nobody is there to answer. */
  end(): void {
    // Without questions there is nothing to end.
  }
}

/** For crawls of no collection with an index, quality checks and profiles. */
export class NoOriginals extends Originals {
  override find(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
