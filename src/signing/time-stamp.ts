/** The authority's answer is no time stamp of what was asked. */
export class NoTimeStamp extends Error {}

/** What a time stamp says. */
export interface TimeStampFacts {
  readonly time: Date;
  /** Name in the certificate of the authority; null when the token carries none. */
  readonly authority: string | null;
}
