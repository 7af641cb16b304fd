/** The JSON part of a CDXJ line, in the order it is written. Offset, length and status are strings (CDXJ as replay reads it). */
export interface CdxFields {
  readonly url: string;
  readonly mime?: string;
  readonly status?: string;
  readonly digest: string;
  readonly length: string;
  readonly offset: string;
  readonly filename: string;
  readonly method?: string;
  readonly requestBody?: string;
}

/** One line of the working directory's `cdx.jsonl`. */
export interface CdxLine {
  readonly key: string;
  readonly ts: string;
  readonly fields: CdxFields;
  /** Where the WARC file ends once this entry's records (the response's request included) are written. */
  readonly end: number;
  /** The WACZ the record goes into. */
  readonly wacz: string;
  /** For the dedupe map: the record's exact date. */
  readonly date: string;
}
