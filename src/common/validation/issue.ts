/** Path of the offending value: `loc[0]` is `path`, `query` or `body`, then field names and list positions. */
export type Loc = readonly (string | number)[];

/** One entry of a 422 body. Contract: accounts §1.5. */
export interface Issue {
  readonly type: string;
  readonly loc: Loc;
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Record<string, unknown>;
}

export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: readonly Issue[] };

export const accept = <T>(value: T): Parsed<T> => ({ ok: true, value });

/** A refusal whose `loc` is relative to the value. The model that holds the field puts its own path before it. */
export function refuse(type: string, msg: string, input: unknown, ctx?: Record<string, unknown>): Parsed<never> {
  return { ok: false, issues: [ctx ? { type, loc: [], msg, input, ctx } : { type, loc: [], msg, input }] };
}

export const under = (prefix: Loc, issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({ ...issue, loc: [...prefix, ...issue.loc] }));

/** Input that does not have the declared shape, answered with status 422 and the list of issues. */
export class InputRefused extends Error {
  constructor(readonly issues: readonly Issue[]) {
    super(issues.map((issue) => `${issue.loc.join('.')}: ${issue.msg}`).join('; '));
  }
}

/** A single 422 issue of a rule that needs the stored state or a library; use cases throw it. */
export function invalidInput(loc: Loc, msg: string, input: unknown, type = 'value_error'): InputRefused {
  return new InputRefused([{ type, loc, msg, input, ctx: type === 'value_error' ? { error: {} } : undefined }]);
}
