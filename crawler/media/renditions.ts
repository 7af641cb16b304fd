/** One of several encodings of the same thing. */
export interface Rendition {
  /** Width times height; 0 for sound, or where it is not told. */
  readonly pixels: number;
  /** Bits a second. */
  readonly bandwidth: number;
}

/** What replay (wabac, rewriteVideo.ts) keeps of a manifest: the best picture up to these. */
const REPLAYED_PIXELS = 1280 * 720;
const REPLAYED_BANDWIDTH = 2_000_000;

/** Those that replay would choose first, so that a stream which is cut off plays; then the small ones. */
export function replayedFirst<T extends Rendition>(renditions: readonly T[]): T[] {
  const fits = ({ pixels, bandwidth }: T): boolean =>
    pixels > 0 ? pixels <= REPLAYED_PIXELS : bandwidth <= REPLAYED_BANDWIDTH;
  const size = (a: T, b: T): number => a.pixels - b.pixels || a.bandwidth - b.bandwidth;
  const fitting = renditions.filter(fits).sort((a, b) => size(b, a));
  return [...fitting, ...renditions.filter((each) => !fits(each)).sort(size)];
}

/** A manifest may name more, or without an end. */
export const MAX_NAMED = 20_000;
/** It may name the same one over and over as well, or what is no address. */
const MAX_ASKED = 10 * MAX_NAMED;

/** Addresses relative to `base`, each once. */
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
      // Not an address.
    }
  }
}
