import { headerValue, mimeOf, type HeaderList } from '../../formats/warc/http-headers.js';

/** Media types whose text replay rewrites. It does so byte by byte unless told that they are UTF-8. */
const REWRITTEN = /^(?:text\/(?:html|css|javascript)|application\/(?:xhtml\+xml|(?:x-)?javascript))$/;

/**
 * Converts a UTF-16 body to UTF-8, because replay spoils UTF-16. Its `content-type` is renamed, like all headers that
 * do not describe the record's bytes. The site's bytes can be derived from the record. docs/adr/0023.
 * @returns the given body when it is not UTF-16 or not well-formed
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

/** The byte order mark counts before the header, as in browsers. */
function utf16Of(bytes: Buffer, type: string): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return null;
  const named = /;\s*charset\s*=\s*"?utf-16(le|be)?\b/i.exec(type);
  return named && (named[1]?.toLowerCase() === 'be' ? 'utf-16be' : 'utf-16le');
}
