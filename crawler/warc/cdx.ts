/** The JSON part of a CDXJ line, in the order it is written. Offset, length and status are strings (CDXJ as replay reads it). */
export interface CdxFields {
  url: string;
  mime?: string;
  status?: string;
  digest: string;
  length: string;
  offset: string;
  filename: string;
  method?: string;
  requestBody?: string;
}

/** One line of the working directory's `cdx.jsonl`. */
export interface CdxLine {
  key: string;
  ts: string;
  fields: CdxFields;
  /** Where the WARC file ends once this entry's records (the response's request included) are written. */
  end: number;
  /** The WACZ the record goes into. */
  wacz: string;
  /** For the dedupe map: the record's exact date. */
  date: string;
}
