interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
export type Components = Readonly<Record<string, Schema>>;

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

/** Values that break what trusts its input, each of another kind of wrong; as JSON delivers them. */
export const HOSTILE: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e300,
  2 ** 53,
  '',
  'constructor',
  '__proto__',
  'toString',
  'x.y',
  '$where',
  '\u0000',
  '\ud800',
  '💣'.repeat(300),
  'a'.repeat(5000),
  'http://[',
  'http://a b/?#',
  'https://user:p@h/%zz',
  '0 0 31 2 *',
  '9999-99-99',
  '+275760-09-13T00:00:00Z',
  '((((a+)+)+)+)$',
  [],
  [null],
  ['constructor', {}],
  {},
  { $gt: '' },
  JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": 1}, "toString": 1, "hasOwnProperty": 1}'),
  { 'a.b': 1, $set: 1, '': 1, '\u0000': 1 },
  nested(60),
];

/** A value that the schema allows, as dull as can be. */
export function plainValue(schema: Schema | undefined, components: Components, depth = 0): unknown {
  if (!schema || depth > 6) return 'x';
  if (schema.$ref) return plainValue(components[schema.$ref.split('/').at(-1) ?? ''], components, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = schema.anyOf ?? schema.allOf;
  if (choice)
    return plainValue(
      choice.find(({ type }) => type !== 'null'),
      components,
      depth + 1,
    );
  if (schema.properties)
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, plainValue(schema.properties?.[name], components, depth + 1)]),
    );
  return dull(schema, components, depth);
}

function dull({ type, format, items }: Schema, components: Components, depth: number): unknown {
  if (type === 'array') return [plainValue(items, components, depth + 1)];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  if (type === 'object') return {};
  const texts: Record<string, string> = {
    uuid: 'b8f5d5a2-6d0e-4b35-9d2f-0a1f0b6d7c11',
    email: 'somebody@example.com',
    uri: 'https://example.com/',
    'date-time': '2026-01-01T00:00:00Z',
  };
  return texts[format ?? ''] ?? 'x';
}

const resolved = (schema: Schema, components: Components): Schema => {
  const target = schema.$ref
    ? components[schema.$ref.split('/').at(-1) ?? '']
    : schema.anyOf?.find((s) => s.type !== 'null');
  return target && target !== schema ? resolved(target, components) : schema;
};

/** The plain body with a hostile value in place of each field, down to fields of fields; then the hostile values alone. */
export function* hostileBodies(
  schema: Schema,
  components: Components,
  values: readonly unknown[] = HOSTILE,
  depth = 2,
): Generator<unknown> {
  const { properties, type, items } = resolved(schema, components);
  const plain = plainValue(schema, components);
  if (depth > 0 && properties && typeof plain === 'object' && plain !== null)
    for (const [name, field] of Object.entries(properties))
      for (const value of hostileBodies(field, components, values, depth - 1)) yield { ...plain, [name]: value };
  if (depth > 0 && type === 'array' && items)
    for (const value of hostileBodies(items, components, values, depth - 1)) yield [value];
  yield* values;
}
