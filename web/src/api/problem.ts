/** An error that the API answered, or that kept it from answering. */
export class ApiProblem extends Error {
  private constructor(
    /** HTTP status; 0: the service was not reached. */
    readonly status: number,
    /** The stable code of the API (`detail`), such as `crawl_not_running`; empty when there is none. */
    readonly code: string,
    /** What is wrong with which field of the form, by the field's name (of a 422). */
    readonly fields: Readonly<Record<string, string>>,
    /** Seconds after which another try may be answered, where the API says so (`Retry-After`). */
    readonly retryAfter: number | null = null,
    /** The whole answer, which with some codes has more in it. */
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(code || `status ${String(status)}`);
    this.name = 'ApiProblem';
  }

  static async of(response: Response): Promise<ApiProblem> {
    const body: unknown = await response.json().catch(() => null);
    const detail = isRecord(body) ? body['detail'] : undefined;
    if (Array.isArray(detail)) return new ApiProblem(response.status, 'invalid', fieldsOf(detail));
    const code = isRecord(detail) ? detail['code'] : detail;
    const wait = Number(response.headers.get('Retry-After') ?? NaN);
    return new ApiProblem(
      response.status,
      typeof code === 'string' ? code : '',
      {},
      Number.isFinite(wait) ? wait : null,
      isRecord(body) ? body : {},
    );
  }

  static unreachable(cause: unknown): ApiProblem {
    const problem = new ApiProblem(0, 'unreachable', {});
    problem.cause = cause;
    return problem;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** `[{ loc: ['body', 'config', 'lang'], msg }]` → `{ 'config.lang': msg }` (accounts §1). */
function fieldsOf(issues: readonly unknown[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of issues) {
    if (!isRecord(issue) || !Array.isArray(issue['loc'])) continue;
    const field = issue['loc'].slice(1).join('.');
    fields[field] ??= String(issue['msg']);
  }
  return fields;
}
