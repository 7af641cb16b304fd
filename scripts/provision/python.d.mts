/** See python.mjs. */
export function findPythonTools(log?: (line: string) => void): Promise<{ python: string; bin: string } | null>;
