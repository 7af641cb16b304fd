const WARC = /^archive\/.+\.warc(\.gz)?$/i;

/** Whether a member of a WACZ is one of its WARC files. */
export const isWarc = (name: string): boolean => WARC.test(name);
