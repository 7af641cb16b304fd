import createClient, { type Middleware } from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import { takeEarly } from './early-answers';
import type { components, paths } from './schema';
import { ApiProblem } from './problem';

/** Bodies and answers of the API by the names that its document gives them. */
export type Schemas = components['schemas'];

/** What the session gives to every request, and what it is told of a refused token. The session sets it. */
export const credentials = {
  token: (): string | null => null,
  refused: (): void => undefined,
};

const headers: Middleware = {
  onRequest({ request }) {
    const token = credentials.token();
    if (token && !request.headers.has('Authorization')) request.headers.set('Authorization', `Bearer ${token}`);
    return request;
  },
  async onResponse({ request, response }) {
    if (response.ok) return undefined;
    const problem = await ApiProblem.of(response);
    if (response.status === 401 && request.headers.has('Authorization')) credentials.refused();
    throw problem;
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return error;
    return ApiProblem.unreachable(error);
  },
};

/**
 * The API, typed by its own document. Every answer that is not 2xx is thrown as an `ApiProblem`. Lists in queries are
 * sent as repeated keys.
 */
export const client = createClient<paths>({
  querySerializer: { array: { style: 'form', explode: true } },
  fetch: (request) => takeEarly(request) ?? fetch(request),
});
client.use(headers);

/** The same as hooks and options of TanStack Query: `api.useQuery('get', '/api/orgs/{oid}', { params: … })`. */
export const api = createQueryClient(client);

/** An address for `<a href>`, which can carry the login in no header (web-client §1.1). */
export function withToken(path: string): string {
  const token = credentials.token();
  const separator = path.includes('?') ? '&' : '?';
  return token ? `${path}${separator}auth_bearer=${encodeURIComponent(token)}` : path;
}

/** A request whose path is none of the document's, or whose body is a file. @throws ApiProblem */
export async function send(path: string, init: RequestInit = {}): Promise<unknown> {
  const token = credentials.token();
  const sent = new Headers(init.headers);
  if (token) sent.set('Authorization', `Bearer ${token}`);
  const response = await fetch(path, { ...init, headers: sent }).catch((error: unknown) => {
    throw ApiProblem.unreachable(error);
  });
  if (response.ok) return response.json().catch(() => null);
  const problem = await ApiProblem.of(response);
  if (response.status === 401) credentials.refused();
  throw problem;
}
