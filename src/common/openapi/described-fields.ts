import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { own } from '../objects/own.js';
import { declaredFields, declaredModels } from '../validation/declared-fields.js';
import type { ModelClass } from '../validation/kind.js';
import { SHARED_WORDS } from './shared-words.js';

const FOUND = '_OPENAPI_METADATA_FACTORY';

/** The static method that the compiler plugin of @nestjs/swagger adds to a class. */
interface Compiled {
  readonly [FOUND]?: () => Record<string, { description?: string }>;
}

type Comments = Record<string, { description?: string }>;

const commentsOn = (model: object): Comments =>
  Object.hasOwn(model, FOUND) ? ((model as Compiled)[FOUND]?.() ?? {}) : {};

/** The comments on a class's fields; those of its base classes where it has none of its own. */
function commentsOf(model: object | null): Comments {
  return model === null ? {} : { ...commentsOf(Object.getPrototypeOf(model) as object | null), ...commentsOn(model) };
}

function describe(model: ModelClass, found: Comments): void {
  for (const { name, kind, isRequired, isDeprecated, what, default: shown } of declaredFields(model)) {
    const options = {
      // Without a type the scan uses the property's, which says less than the schema.
      type: '',
      ...kind.schema(),
      required: isRequired,
      default: shown ?? undefined,
      deprecated: isDeprecated || undefined,
      description: what ?? found[name]?.description ?? own(SHARED_WORDS, name),
    };
    ApiProperty(options as ApiPropertyOptions)(model.prototype as object, name);
  }
}

/**
 * Tells @nestjs/swagger what the decorators of fields say. Decorators cannot do so themselves, because classes refer to
 * each other and defaults come from an instance.
 */
export function describeFields(): void {
  const comments = new Map([...declaredModels].map((model) => [model, commentsOf(model)]));
  comments.forEach((found, model) => describe(model, found));
  // The rest of the plugin's metadata is guessed from types; the decorators know better.
  for (const model of declaredModels) Reflect.deleteProperty(model, FOUND);
}
