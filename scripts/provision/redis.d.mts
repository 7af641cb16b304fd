export function findRedis(log?: (line: string) => void): Promise<string | null>;
