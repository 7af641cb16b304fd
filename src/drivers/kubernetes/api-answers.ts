/** The HTTP status of an error answer. It is 0 for any other error, such as a failed connection. */
export function statusOf(error: unknown): number {
  const { code } = error as { code?: unknown };
  return typeof code === 'number' ? code : 0;
}

/** Status codes of refusals that no prompt retry can cure: the cluster, the quota or the image has to change. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 413, 422]);

export const isRefusal = (error: unknown): boolean => REFUSALS.has(statusOf(error));

/** The reason of an error, in the API server's words where it gave any. */
export function messageOf(error: unknown): string {
  const { body } = error as { body?: unknown };
  const said = (body as { message?: unknown } | undefined)?.message ?? messageIn(body);
  if (typeof said === 'string' && said !== '') return said;
  const status = statusOf(error);
  if (status > 0) return `the API server answered ${String(status)}`;
  return error instanceof Error ? error.message : String(error);
}

/** The answer. Undefined where the API server answers with one of these codes. */
export async function tolerating<T>(codes: readonly number[], answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (codes.includes(statusOf(error))) return undefined;
    throw error;
  }
}

/** Makes a sentence for a log line of what a cluster said. */
export function sentence(text: string | undefined): string {
  const trimmed = (text ?? 'no reason given').trim();
  return trimmed.endsWith('.') ? trimmed : `${trimmed}.`;
}

/** Reads the message of an error's body. Some errors carry the body as text. */
function messageIn(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  try {
    return (JSON.parse(body) as { message?: unknown }).message;
  } catch {
    return undefined;
  }
}
