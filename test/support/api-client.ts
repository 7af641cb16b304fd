import type { ResponseCheck } from './response-check.js';

export interface Answer<T = any> {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text of another type. */
  body: T;
}

export interface CallOptions {
  query?: Record<string, string | number | boolean | string[] | undefined>;
  json?: unknown;
  form?: Record<string, string>;
  raw?: RequestInit['body'];
  headers?: Record<string, string>;
}

/** Calls the API over HTTP as one caller, and checks each answer against the OpenAPI document. */
export class ApiClient {
  constructor(
    readonly baseUrl: string,
    private readonly check: ResponseCheck,
    readonly token: string | null = null,
  ) {}

  as(token: string | null): ApiClient {
    return new ApiClient(this.baseUrl, this.check, token);
  }

  get<T = any>(path: string, query?: CallOptions['query']): Promise<Answer<T>> {
    return this.call<T>('GET', path, { query });
  }
  post<T = any>(path: string, json?: unknown, options: CallOptions = {}): Promise<Answer<T>> {
    return this.call<T>('POST', path, { json, ...options });
  }
  patch<T = any>(path: string, json?: unknown): Promise<Answer<T>> {
    return this.call<T>('PATCH', path, { json });
  }
  put<T = any>(path: string, json?: unknown, options: CallOptions = {}): Promise<Answer<T>> {
    return this.call<T>('PUT', path, { json, ...options });
  }
  delete<T = any>(path: string, json?: unknown): Promise<Answer<T>> {
    return this.call<T>('DELETE', path, { json });
  }

  /** The plain response, for streams. Paths start with `/`; `/api` is put before all but probes and `/data/`. */
  async fetch(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const { query, json, form, raw, headers } = options;
    const url = new URL(
      /^\/(healthz|readyz|data\/|api\/|wasapi\/|\.well-known\/|replay|docs)/.test(path) || path === '/'
        ? path
        : `/api${path}`,
      this.baseUrl,
    );
    for (const [key, value] of Object.entries(query ?? {}))
      for (const item of Array.isArray(value) ? value : [value])
        if (item !== undefined) url.searchParams.append(key, String(item));
    const body = json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form) : raw;
    return fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(json !== undefined ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
  }

  async call<T = any>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    const response = await this.fetch(method, path, options);
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
    const body = (isJson && text !== '' ? JSON.parse(text) : text) as T;
    if (isJson) this.check.check(method, new URL(response.url).pathname, response.status, body);
    return { status: response.status, headers: response.headers, body };
  }
}
