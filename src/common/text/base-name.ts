/** The last part of an object key or path: the name without its folders. */
export const baseName = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
