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
  /** Offset in the WARC file after all records of this entry, including the response's request. */
  readonly end: number;
  /** The WACZ of the record. */
  readonly wacz: string;
  /** For the dedupe map: the record's exact date. */
  readonly date: string;
  /** For a revisit record whose original is in another item: the number of its WACZ (`UsedOriginals`). */
  readonly original?: number;
}
