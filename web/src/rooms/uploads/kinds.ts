const PACKED = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b];
const WARC = [0x57, 0x41, 0x52, 0x43];

/** Whether a file begins as a WACZ, a WARC or a packed WARC does. The service looks at the content, too, not the name. */
async function looksLikeArchive(file: File): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return [PACKED, ZIP, WARC].some((start) => start.every((byte, index) => bytes[index] === byte));
}

/** Why a file is not sent at all. */
export async function refusalOf(file: File): Promise<'emptyFile' | 'notArchive' | null> {
  if (file.size === 0) return 'emptyFile';
  return (await looksLikeArchive(file)) ? null : 'notArchive';
}

/** The name that is offered for an item. */
export const nameOf = (file: File): string => file.name.replace(/\.(wacz|warc|warc\.gz|zip)$/i, '');
