/**
 * Media types of archived objects, by extension. Anything else is served as plain bytes: keys keep the uploader's
 * extension.
 */
const TYPES: Record<string, string> = {
  '.wacz': 'application/wacz+zip',
  '.zip': 'application/zip',
  '.warc': 'application/warc',
  '.gz': 'application/gzip',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
};

/**
 * The media type of a key. It is never one that a browser runs as a document (HTML, SVG, XML): `/data/` shares the
 * API's origin.
 */
export function contentTypeOf(key: string): string {
  const dot = key.lastIndexOf('.');
  return (dot < 0 ? undefined : TYPES[key.slice(dot).toLowerCase()]) ?? 'application/octet-stream';
}
