import { declaredFields, type DeclaredField } from '../validation/declared-fields.js';
import type { JsonSchema, ModelClass, SchemaRefs } from '../validation/kind.js';
import { COMPONENT_NAME, TWO_SIDED } from './returns.js';

type Use = 'input' | 'output';

/** The swagger compiler plugin leaves the doc comments of DTO fields in this static. */
interface Documented {
  readonly _OPENAPI_METADATA_FACTORY?: () => Record<string, { description?: string }>;
}

export function componentName(model: ModelClass, use: Use): string {
  const name = (Reflect.getMetadata(COMPONENT_NAME, model) as string | undefined) ?? model.name;
  if (!Reflect.getMetadata(TWO_SIDED, model)) return name;
  return `${name}-${use === 'input' ? 'Input' : 'Output'}`;
}

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

function descriptionsOf(model: ModelClass): Record<string, { description?: string }> {
  const chain: ModelClass[] = [];
  let type: unknown = model;
  while (typeof type === 'function' && type !== Function.prototype) {
    chain.unshift(type as ModelClass);
    type = Object.getPrototypeOf(type);
  }
  return Object.assign({}, ...chain.map((type) => (type as Documented)._OPENAPI_METADATA_FACTORY?.() ?? {})) as Record<
    string,
    { description?: string }
  >;
}

/** Collects the component schemas that a document refers to. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};

  refs(use: Use): SchemaRefs {
    return {
      use,
      model: (model, side) => this.model(model, side),
      named: (name, schema) => {
        this.schemas[name] ??= schema;
        return ref(name);
      },
    };
  }

  model(model: ModelClass, use: Use): JsonSchema {
    const name = componentName(model, use);
    if (!(name in this.schemas)) {
      // Registered before its fields are read: a model may hold itself.
      this.schemas[name] = {};
      this.schemas[name] = this.describe(model, use);
    }
    return ref(name);
  }

  private describe(model: ModelClass, use: Use): JsonSchema {
    const fields = declaredFields(model);
    const documented = descriptionsOf(model);
    const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
    return {
      properties: Object.fromEntries(
        fields.map((field) => [field.name, this.property(field, use, documented[field.name]?.description)]),
      ),
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
    };
  }

  property(field: DeclaredField, use: Use, description?: string): JsonSchema {
    const shown = field.default;
    return {
      ...field.kind.schema(this.refs(use)),
      ...(shown === undefined || shown === null ? {} : { default: shown }),
      ...(field.isDeprecated ? { deprecated: true } : {}),
      ...(description ? { description } : {}),
    };
  }
}
