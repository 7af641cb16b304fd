/** Most pixels that an image may unpack to, because a bomb of 2 MB holds gigapixels. A 4K screenshot has 8 million. */
const MAX_PIXELS = 64_000_000;

/** Formats that keep their type; every other image becomes PNG. */
const KEPT = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp', avif: 'image/avif' } as const;
/** Formats that are read. SVG is not among them, because it can refer to other documents. */
const READ = new Set(['jpeg', 'png', 'webp', 'heif', 'gif', 'tiff']);

export interface EncodedImage {
  readonly bytes: Buffer;
  readonly mime: string;
}

/**
 * Encodes an image from outside anew, so that the result holds pixels only (no location, no comments, nothing
 * appended).
 * @returns null for bytes that are no image, whatever their name says
 */
export async function encodeImage(given: Buffer): Promise<EncodedImage | null> {
  // Many services never see an image, and the package takes 17 MB of memory.
  const { default: sharp } = await import('sharp');
  try {
    const image = sharp(given, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { format, compression } = await image.metadata();
    if (!format || !READ.has(format)) return null;
    const kept = format === 'heif' && compression === 'av1' ? 'avif' : format;
    const target = (kept in KEPT ? kept : 'png') as keyof typeof KEPT;
    // Turns the image as its orientation note says, because the note is dropped.
    return { bytes: await image.rotate().toFormat(target).toBuffer(), mime: KEPT[target] };
  } catch {
    // Any failure of the decoder means that these bytes are no image.
    return null;
  }
}
