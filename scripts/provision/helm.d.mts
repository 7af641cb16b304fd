/** See helm.mjs. */
export function findHelm(log?: (line: string) => void): Promise<string | null>;
