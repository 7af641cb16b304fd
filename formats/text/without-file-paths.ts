/**
 * The text of an error without where files lie on this machine, for people who only use it: `'/data/work/x/a.json'`
 * becomes `'…/a.json'`. Addresses of the web stay as they are.
 */
export const withoutFilePaths = (text: string): string =>
  text
    .replaceAll('file://', '')
    .replace(/[^\s'"`<>()[\]]+/g, (word) =>
      word.includes('://') ? word : word.replace(/(^|[=,;:])\/[^/,;:]+\/(?:[^/,;:]+\/)*/g, '$1…/'),
    );
