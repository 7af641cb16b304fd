/**
 * What `early.ts` asks for while the console's code is on its way: answers by path. Undefined until one of the two is
 * there; null once the console asks by itself.
 */
declare global {
  var munimentEarly: Map<string, Promise<Response>> | null | undefined;
}

let answers = globalThis.munimentEarly ?? new Map<string, Promise<Response>>();
globalThis.munimentEarly = null;

/** The answer that is on its way already, once: what is asked for again has to be new. */
export function takeEarly({ method, url }: Request): Promise<Response> | undefined {
  if (answers.size === 0 || method !== 'GET') return undefined;
  const path = url.slice(location.origin.length);
  const answer = answers.get(path);
  answers.delete(path);
  return answer;
}

/** Of another login, nothing is taken. */
export const forgetEarly = (): void => void (answers = new Map());
