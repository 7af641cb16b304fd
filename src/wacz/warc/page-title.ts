import { decodeHTML } from 'entities';

const MAX_TITLE = 500;

/** The title in the start of an HTML document; null when there is none. */
export function titleOf(html: Buffer, contentType: string): string | null {
  const start = html.toString('latin1', 0, 1024);
  const charset = /charset\s*=\s*["']?\s*([\w:.-]{2,40})/i;
  const label = charset.exec(contentType)?.[1] ?? charset.exec(start)?.[1] ?? 'utf-8';
  const match = /<title(?:\s[^>]{0,200})?>([^<]{0,2000})/i.exec(decoded(html, label));
  const title = decodeHTML(match?.[1] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return title === '' ? null : title.slice(0, MAX_TITLE);
}

function decoded(bytes: Buffer, label: string): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return bytes.toString('utf8'); // a label that nobody knows
  }
}
