/** One of several encodings of the same content. */
export interface Rendition {
  /** Width times height; 0 for sound or an unknown size. */
  readonly pixels: number;
  /** Bits per second. */
  readonly bandwidth: number;
}

/** Replay (wabac, rewriteVideo.ts) keeps the best picture of a manifest up to these limits. */
const REPLAYED_PIXELS = 1280 * 720;
const REPLAYED_BANDWIDTH = 2_000_000;

/** Puts the renditions that replay prefers first, so that a stream that is cut off still plays; then the small ones. */
export function replayedFirst<T extends Rendition>(renditions: readonly T[]): T[] {
  const fits = ({ pixels, bandwidth }: T): boolean =>
    pixels > 0 ? pixels <= REPLAYED_PIXELS : bandwidth <= REPLAYED_BANDWIDTH;
  const size = (a: T, b: T): number => a.pixels - b.pixels || a.bandwidth - b.bandwidth;
  const fitting = renditions.filter(fits).sort((a, b) => size(b, a));
  return [...fitting, ...renditions.filter((each) => !fits(each)).sort(size)];
}

/** Most addresses taken from a manifest, which may name more, or name them without an end. */
export const MAX_NAMED = 20_000;
/** Most entries looked at, because a manifest may repeat one address or hold text that is none. */
const MAX_ASKED = 10 * MAX_NAMED;

/** Collects absolute addresses relative to `base`, each once. */
export class NamedUrls {
  private readonly urls = new Set<string>();
  private asked = 0;

  get list(): string[] {
    return [...this.urls];
  }

  get isFull(): boolean {
    return this.urls.size >= MAX_NAMED || this.asked >= MAX_ASKED;
  }

  add(reference: string | undefined, base: string): void {
    this.asked++;
    if (!reference || this.isFull) return;
    try {
      const url = new URL(reference.trim(), base);
      url.hash = '';
      if (/^https?:$/.test(url.protocol)) this.urls.add(url.href);
    } catch {
      // The text is no address.
    }
  }
}
