import { anyOf } from '../validation/composites.js';
import { ListOf, Str } from '../validation/fields.js';
import { modelRef } from '../validation/references.js';
import { int, str } from '../validation/scalars.js';

/** The body of every failure but 422. */
export class ErrorResponse {
  /** What went wrong: a stable code to branch on, in some places a sentence. The status's description lists them. */
  @Str() detail!: string;
}

export class ValidationError {
  /** Where the fault is: `body`, `query` or `path`, then the names and indexes that lead to the value. */
  @ListOf(anyOf(str(), int())) loc!: (string | number)[];
  /** The fault in words. */
  @Str() msg!: string;
  /** The fault as a code: `missing`, `string_too_long`. */
  @Str() type!: string;
}

export class HTTPValidationError {
  /** Every fault of path, query and body. */
  @ListOf(() => ValidationError, { optional: true }) detail?: ValidationError[];
}

/** The contract's 422 (accounts §1.5). */
export const refused = {
  description: 'The input does not have the declared shape.',
  content: { 'application/json': { schema: modelRef(HTTPValidationError) } },
};
