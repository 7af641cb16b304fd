/** See versitygw.mjs. */
export function findVersitygw(log?: (line: string) => void): Promise<string | null>;
