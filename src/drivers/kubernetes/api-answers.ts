/** The HTTP status of an answer that was an error; 0 for anything else, as a connection that failed. */
export function statusOf(error: unknown): number {
  const { code } = error as { code?: unknown };
  return typeof code === 'number' ? code : 0;
}

/** What went wrong, in the API server's words where it gave any. */
export function messageOf(error: unknown): string {
  const { body } = error as { body?: unknown };
  const said = (body as { message?: unknown } | undefined)?.message ?? messageIn(body);
  if (typeof said === 'string' && said !== '') return said;
  const status = statusOf(error);
  if (status > 0) return `the API server answered ${String(status)}`;
  return error instanceof Error ? error.message : String(error);
}

/** Undefined where the API server answers with one of these codes. */
export async function tolerating<T>(codes: readonly number[], answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (codes.includes(statusOf(error))) return undefined;
    throw error;
  }
}

/** Some errors carry the answer as text. */
function messageIn(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  try {
    return (JSON.parse(body) as { message?: unknown }).message;
  } catch {
    return undefined;
  }
}
