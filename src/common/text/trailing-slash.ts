/** Keys and paths are put behind it. */
export const withTrailingSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`);
