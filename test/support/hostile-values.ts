export interface Schema {
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

/** The schema behind references and choices. @param pick chooses among alternatives */
export function resolvedSchema(
  schema: Schema,
  components: Components,
  pick: (choices: readonly Schema[]) => Schema,
): Schema {
  const choices = schema.anyOf ?? schema.allOf;
  const target = schema.$ref ? components[schema.$ref.split('/').at(-1) ?? ''] : choices && pick(choices);
  return target ? resolvedSchema(target, components, pick) : schema;
}
