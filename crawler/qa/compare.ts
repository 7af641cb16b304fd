import { distance } from 'fastest-levenshtein';
import pixelmatch from 'pixelmatch';
import sharp from 'sharp';

/** The edit distance takes quadratic time: 60,000 characters 0.5 s, 150,000 already 3 s. */
export const MAX_TEXT_CHARS = 100_000;
const THRESHOLD = 0.1;

/** 1 - differing / total pixels; 0 when the sizes differ. */
export async function screenshotMatch(original: Uint8Array, replayed: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all([pixels(original), pixels(replayed)]);
  if (a.width !== b.width || a.height !== b.height) return 0;
  const differing = pixelmatch(a.data, b.data, undefined, a.width, a.height, { threshold: THRESHOLD });
  return 1 - differing / (a.width * a.height);
}

/** (L - edit distance) / L with L the longer length; 1 when both are empty. */
export function textMatch(original: string, replayed: string): number {
  const [a, b] = [original.slice(0, MAX_TEXT_CHARS), replayed.slice(0, MAX_TEXT_CHARS)];
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  return a === b ? 1 : (longer - distance(a, b)) / longer;
}

async function pixels(png: Uint8Array): Promise<{ data: Uint8Array; width: number; height: number }> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}
