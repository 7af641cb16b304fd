import anyAscii from 'any-ascii';
import { decodeHTML } from 'entities';

/**
 * Slug of a display name; apostrophes vanish. It is empty for a name of symbols only. Contract: archive.md §0, "Slug
 * from name".
 */
export function slugOfName(name: string): string {
  return slugify(name.replaceAll("'", ''));
}

/** Slug as python-slugify makes it by default: an apostrophe separates words. Contract: archive.md §2.3. */
export function slugify(text: string): string {
  const ascii = toAscii(text.replace(/'+/g, '-').normalize('NFKD'));
  return decodeHTML(ascii)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/(?<=\d),(?=\d)/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Characters that stand for whole words become words of their own; emoji have no ASCII form. */
function toAscii(text: string): string {
  let ascii = '';
  for (const character of text) {
    const written = anyAscii(character);
    if (/^:\w+:$/.test(written)) continue;
    ascii += /\p{Script=Han}/u.test(character) ? `${written} ` : written;
  }
  return ascii;
}
