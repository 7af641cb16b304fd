import anyAscii from 'any-ascii';
import { decodeHTMLStrict } from 'entities';

const SLUG = /^[\p{L}\p{N}\p{M}_-]+$/u;

/** Whether an explicit slug is allowed: letters, digits, `_` and `-`. Contract: accounts §7.3. */
export const isSlug = (text: string): boolean => SLUG.test(text);

/**
 * Transliterates a text to ASCII. Each ideograph is a word of its own, as in Text::Unidecode. Pictographs have no
 * letters, so they are dropped.
 */
function transliterate(text: string): string {
  return [...text]
    .map((char) => {
      if (/\p{Script=Han}/u.test(char)) return `${anyAscii(char)} `;
      return (char.codePointAt(0) ?? 0) > 0xffff ? '' : anyAscii(char);
    })
    .join('');
}

/**
 * Returns the slug of a name. It is empty when nothing of the name can be written in ASCII. Contract: accounts §7.3,
 * steps 1–8.
 */
export function slugFrom(name: string): string {
  const ascii = transliterate(name.replaceAll("'", '').normalize('NFKD'));
  return decodeHTMLStrict(ascii)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/(?<=\d),(?=\d)/g, '')
    .replace(/[^-a-z0-9]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');
}
