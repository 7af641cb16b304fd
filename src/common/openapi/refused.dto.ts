import { anyOf } from '../validation/composites.js';
import { ListOf, Str } from '../validation/fields.js';
import { modelRef } from '../validation/references.js';
import { int, str } from '../validation/scalars.js';

export class ValidationError {
  @ListOf(anyOf(str(), int())) loc!: (string | number)[];
  @Str() msg!: string;
  @Str() type!: string;
}

export class HTTPValidationError {
  @ListOf(() => ValidationError, { optional: true }) detail?: ValidationError[];
}

/** The contract's 422 (accounts §1.5). */
export const refused = {
  description: 'The input does not have the declared shape.',
  content: { 'application/json': { schema: modelRef(HTTPValidationError) } },
};
