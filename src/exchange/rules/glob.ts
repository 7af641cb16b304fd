/** Most stars of a pattern. The database tries them one within the other. */
const MAX_STARS = 4;
const MAX_GLOBS = 20;

/**
 * A pattern of regular expressions for file names, of globs between semicolons. It holds for the last part of a key.
 * @returns null for more globs or stars than are looked for
 */
export function globPattern(globs: string): string | null {
  const all = globs.split(';').filter((glob) => glob !== '');
  const isTooMuch = (glob: string): boolean => glob.replace(/\*+/g, '*').split('*').length - 1 > MAX_STARS;
  if (all.length > MAX_GLOBS || all.some(isTooMuch)) return null;
  return `(^|/)(${all.map(oneGlob).join('|')})$`;
}

const oneGlob = (glob: string): string =>
  glob
    .replace(/\*+/g, '*')
    .replace(/[\\^$.|+()[\]{}\u0000]/g, (c) => (c === '\u0000' ? '\\x00' : `\\${c}`))
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
