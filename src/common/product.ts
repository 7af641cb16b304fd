import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const VERSION = version;

/** `<Product> v<version>`, written into the packages that the service makes. */
export const SOFTWARE = `Muniment v${version}`;
