import { headerValue, mimeOf, type HeaderList } from '../../formats/warc/http-headers.js';

/** Media types whose text replay rewrites, byte by byte where it is not told that they are UTF-8. */
const REWRITTEN = /^(?:text\/(?:html|css|javascript)|application\/(?:xhtml\+xml|(?:x-)?javascript))$/;

/**
 * A body in UTF-16 as the record holds it: in UTF-8, its `content-type` renamed as headers are that describe other bytes
 * than those of the record; the bytes of the site follow from it. Replay spoils it otherwise. docs/adr/0023.
 * @returns what was given where it is no UTF-16, or not well-formed
 */
export function withoutUtf16(headers: HeaderList, bytes: Buffer): { headers: HeaderList; bytes: Buffer } {
  const type = headerValue(headers, 'content-type');
  const mime = mimeOf(type);
  const encoding = REWRITTEN.test(mime) ? utf16Of(bytes, type ?? '') : null;
  if (!encoding) return { headers, bytes };
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    const renamed = headers.flatMap(([name, value]): [string, string][] =>
      name.toLowerCase() === 'content-type'
        ? [
            [name, `${mime}; charset=utf-8`],
            [`x-orig-${name}`, value],
          ]
        : [[name, value]],
    );
    return { headers: renamed, bytes: Buffer.from(text, 'utf8') };
  } catch {
    return { headers, bytes };
  }
}

/** The text's byte order mark counts before its header, as in browsers. */
function utf16Of(bytes: Buffer, type: string): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return null;
  const named = /;\s*charset\s*=\s*"?utf-16(le|be)?\b/i.exec(type);
  return named && (named[1]?.toLowerCase() === 'be' ? 'utf-16be' : 'utf-16le');
}
