import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { declaredFields, declaredModels } from '../validation/declared-fields.js';
import type { ModelClass } from '../validation/kind.js';

const FOUND = '_OPENAPI_METADATA_FACTORY';

/** The static method that the compiler plugin of @nestjs/swagger adds to a class. */
interface Compiled {
  readonly [FOUND]?: () => Record<string, { description?: string }>;
}

function describe(model: ModelClass): void {
  const found = Object.hasOwn(model, FOUND) ? ((model as Compiled)[FOUND]?.() ?? {}) : {};
  for (const { name, kind, isRequired, isDeprecated, default: shown } of declaredFields(model)) {
    const options = {
      // Without a type the scan uses the property's, which says less than the schema.
      type: '',
      ...kind.schema(),
      required: isRequired,
      default: shown ?? undefined,
      deprecated: isDeprecated || undefined,
      description: found[name]?.description,
    };
    ApiProperty(options as ApiPropertyOptions)(model.prototype as object, name);
  }
  // The rest of the plugin's metadata is guessed from types; the decorators know better.
  Reflect.deleteProperty(model, FOUND);
}

/**
 * Tells @nestjs/swagger what the decorators of fields say. Decorators cannot do so themselves, because classes refer to
 * each other and defaults come from an instance.
 */
export const describeFields = (): void => declaredModels.forEach(describe);
