/** See python.mjs. */
type Tools = { python: string; bin: string };
export function findPythonTools(log?: (line: string) => void): Promise<Tools | null>;
export function findArchiveClients(log?: (line: string) => void): Promise<Tools | null>;
