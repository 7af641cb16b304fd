import sharp from 'sharp';

/** Pixels that an image may unpack to: a bomb of 2 MB holds gigapixels. A 4K screenshot has 8 million. */
const MAX_PIXELS = 64_000_000;

/** Formats that are kept; any other that is an image becomes PNG. */
const KEPT = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp', avif: 'image/avif' } as const;
/** Formats that are read. SVG is a document that can refer to others, so it is no image here. */
const READ = new Set(['jpeg', 'png', 'webp', 'heif', 'gif', 'tiff']);

export interface EncodedImage {
  readonly bytes: Buffer;
  readonly mime: string;
}

/**
 * The image in bytes that came from outside, written anew: what is stored holds pixels and nothing else (no location,
 * no comments, nothing appended).
 * @returns null for bytes that are no image, whatever their name says
 */
export async function encodeImage(given: Buffer): Promise<EncodedImage | null> {
  try {
    const image = sharp(given, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { format, compression } = await image.metadata();
    if (!format || !READ.has(format)) return null;
    const kept = format === 'heif' && compression === 'av1' ? 'avif' : format;
    const target = (kept in KEPT ? kept : 'png') as keyof typeof KEPT;
    // Turned as the camera meant it, since the note that says so is dropped.
    return { bytes: await image.rotate().toFormat(target).toBuffer(), mime: KEPT[target] };
  } catch {
    // Whatever the decoder stumbles over, these bytes are no image.
    return null;
  }
}
