/** A call that the service refused or could not take. */
export class ApiError extends Error {
  /** @param {boolean} isOutage true: nobody answered, the same call may work later */
  constructor(message, isOutage) {
    super(message);
    this.isOutage = isOutage;
  }
}

/** The few calls of the REST API that the starter makes. */
export class ApiClient {
  #token = '';
  #login = null;

  /** @param {string} url of the service, without a slash at the end */
  constructor(url) {
    this.url = url;
  }

  /** @throws {ApiError} when the password is not (any more) the right one */
  async login(login) {
    this.#login = login;
    const body = new URLSearchParams({ grant_type: 'password', username: login.email, password: login.password });
    const response = await this.#fetch('/api/auth/jwt/login', { method: 'POST', body });
    if (!response.ok) {
      const { detail } = await response.json().catch(() => ({}));
      throw new ApiError(
        `Could not log in as ${login.email} (${detail ?? response.status}). If the password was changed, set ` +
          'SUPERUSER_EMAIL and SUPERUSER_PASSWORD to the ones in use.',
        false,
      );
    }
    this.#token = (await response.json()).access_token;
  }

  get(path) {
    return this.#call(path, {});
  }

  post(path, body) {
    return this.#call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    });
  }

  async #call(path, init) {
    let response = await this.#authorized(path, init);
    if (response.status === 401) {
      await response.arrayBuffer();
      await this.login(this.#login); // a long crawl outlives the token
      response = await this.#authorized(path, init);
    }
    if (response.ok) return response.json();
    const text = await response.text();
    throw new ApiError(
      `${init.method ?? 'GET'} ${path}: ${response.status} ${readableDetail(text)}`,
      response.status >= 502,
    );
  }

  #authorized(path, init) {
    return this.#fetch(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${this.#token}` } });
  }

  async #fetch(path, init) {
    try {
      return await fetch(this.url + path, { ...init, signal: AbortSignal.timeout(60_000) });
    } catch (error) {
      throw new ApiError(`${this.url} does not answer: ${error.cause?.message ?? error.message}`, true);
    }
  }
}

/** Contract: contract/README.md 4, `detail` is a code or a list of what is wrong with the input. */
function readableDetail(text) {
  try {
    const { detail } = JSON.parse(text);
    if (!Array.isArray(detail)) return typeof detail === 'string' ? detail : JSON.stringify(detail);
    return detail.map(({ loc, msg }) => `${loc?.join('.')}: ${msg}`).join('; ');
  } catch {
    return text.slice(0, 200);
  }
}
