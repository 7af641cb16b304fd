import { getSchemaPath } from '@nestjs/swagger';
import type { JsonSchema, ModelClass } from './kind.js';

const models = new Set<ModelClass>();
const named = new Map<string, () => JsonSchema>();

/** Components that schemas refer to internally. @nestjs/swagger does not look for those. */
export const REFERRED: {
  readonly models: ReadonlySet<ModelClass>;
  readonly named: ReadonlyMap<string, () => JsonSchema>;
} = { models, named };

export function modelRef(model: ModelClass): JsonSchema {
  models.add(model);
  return { $ref: getSchemaPath(model) };
}

/** A component that is not a class. @param schema is called once all rooms are loaded */
export function namedRef(name: string, schema: () => JsonSchema): JsonSchema {
  named.set(name, schema);
  return { $ref: getSchemaPath(name) };
}
