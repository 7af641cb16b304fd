import { NamedUrls, replayedFirst, type Rendition } from './renditions.js';

interface Variant extends Rendition {
  readonly uri: string;
}

/**
 * The addresses in an HLS playlist (RFC 8216): the other playlists of a master playlist, or a level's segments with
 * their keys and initialization.
 * @param base address of the playlist; @returns absolute addresses, those that replay needs first
 */
export function hlsUrls(text: string, base: string, mostRenditions = Infinity): string[] {
  const named = new NamedUrls();
  const variants: Variant[] = [];
  let variant: Rendition | null = null;
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    if (!line) continue;
    if (line.startsWith('#EXT-X-STREAM-INF:')) variant = rendition(line);
    else if (line.startsWith('#')) named.add(attribute(line, 'URI'), base);
    else if (variant) {
      variants.push({ ...variant, uri: line });
      variant = null;
    } else named.add(line, base);
  }
  const all = new NamedUrls();
  for (const { uri } of replayedFirst(variants).slice(0, mostRenditions)) all.add(uri, base);
  for (const url of named.list) all.add(url, base);
  return all.list;
}

function rendition(line: string): Rendition {
  const [, width = 0, height = 0] = /[:,]RESOLUTION=(\d+)x(\d+)/.exec(line) ?? [];
  const [, bandwidth = 0] = /[:,]BANDWIDTH=(\d+)/.exec(line) ?? [];
  return { pixels: Number(width) * Number(height), bandwidth: Number(bandwidth) };
}

function attribute(line: string, name: string): string | undefined {
  return line.startsWith('#EXT') ? new RegExp(`[:,]\\s*${name}="([^"]*)"`).exec(line)?.[1] : undefined;
}
