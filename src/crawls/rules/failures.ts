/** So many failed evaluations in a row ask the crawler to pack what it has: half an hour of backoff. */
export const STOP_AFTER_FAILURES = 10;
/** So many end the run. The time between the two is for packing and uploading. */
export const MAX_FAILURES = 20;

const MAX_BACKOFF_SECONDS = 300;

/** Until the next try after so many failures in a row: a tick, then twice as long each time, 300 s at most. */
export const backoffSeconds = (failures: number, tickSeconds: number): number =>
  Math.min(MAX_BACKOFF_SECONDS, tickSeconds * 2 ** Math.max(0, Math.min(failures - 1, 10)));
