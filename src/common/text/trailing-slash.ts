/** Callers append keys and paths to it. */
export const withTrailingSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
