/**
 * Takes file paths of this machine out of an error's text before users see it: `'/data/work/x/a.json'` becomes
 * `'…/a.json'`. Web addresses stay as they are.
 */
export const withoutFilePaths = (text: string): string =>
  text
    .replaceAll('file://', '')
    .replace(/[^\s'"`<>()[\]]+/g, (word) =>
      word.includes('://') ? word : word.replace(/(^|[=,;:])\/[^/,;:]+\/(?:[^/,;:]+\/)*/g, '$1…/'),
    );
