import { HOSTILE, resolvedSchema, type Components, type Schema } from './hostile-values.js';
import type { Random } from './random.js';

/** Texts that mean something somewhere, spelled as they should be or nearly so. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  uri: [
    'https://a.invalid/',
    'HTTP://A.INVALID:80/%7e/../?q=%zz#x',
    'https://xn--a.invalid/',
    'https://ä.invalid/ü',
    'http://127.0.0.1:1/',
    'http://[::1]/',
    'http://a.invalid:99999/',
    'file:///etc/passwd',
    'javascript:1',
    'https://u:p@a.invalid',
    '//a.invalid',
    'https://a.invalid/\u0000',
  ],
  'date-time': [
    '2026-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '0000-00-00T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2026-01-01 00:00:00+99:99',
    '+275760-09-13T00:00:00.001Z',
    '2026-01-01T24:00:00',
    '20260101',
    '1e3',
  ],
  uuid: [
    'b8f5d5a2-6d0e-4b35-9d2f-0a1f0b6d7c11',
    'B8F5D5A2-6D0E-4B35-9D2F-0A1F0B6D7C11',
    'b8f5d5a26d0e4b359d2f0a1f0b6d7c11',
    '{b8f5d5a2-6d0e-4b35-9d2f-0a1f0b6d7c11}',
    'urn:uuid:b8f5d5a2-6d0e-4b35-9d2f-0a1f0b6d7c11',
    '00000000-0000-0000-0000-000000000000',
  ],
  email: ['somebody@a.invalid', 'A@B', '"q u"@a.invalid', 'ü@ä.invalid', 'a@a.invalid\r\nBcc: b@b.invalid', '@', 'a@'],
  schedule: [
    '0 0 * * *',
    '@daily',
    '* * * * * *',
    '0 0 31 2 *',
    '*/0 * * * *',
    '60 24 * * *',
    '0 0 * * MON-FRI',
    '0 0 L * *',
    '0-99999999 * * * *',
    'H H * * *',
  ],
  regex: ['.*', '(', '(?<=a)b', '(a+)+$', '[', '\\', '\\p{L}', '(?i)a', 'a{99999}', '(?P<x>a)', '*', '\\1(a)'],
  text: [
    'name',
    '',
    ' ',
    'مرحبا \u202e abc',
    'so\u00adft\u200b',
    'e\u0301'.repeat(50),
    '%00',
    '%c0%af',
    '../../etc/passwd',
    "'; --",
    '{"$gt": ""}',
    'NaN',
    'Infinity',
    '-0',
    '0x10',
    '1e309',
    '\ud83d',
    '\udc00x',
    '\u0000',
    '\ufeff',
    'x'.repeat(300),
    'İıſK',
    'null',
    'undefined',
    '[object Object]',
    'valueOf',
  ],
};
const NUMBERS = [0, 1, 2, 10, -1, 100, 1000, 1001, 1.5, -0, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63), Number.MAX_VALUE];
const KEYS = ['constructor', '__proto__', 'toString', 'hasOwnProperty', '$set', 'a.b', '', '\u0000', '0', 'length'];

/** Which texts a field of this name or format wants. */
function kindOf(name: string, format: string | undefined): string {
  if (format && format in TEXTS) return format;
  if (/url|endpoint|site|href/i.test(name)) return 'uri';
  if (/schedule|cron/i.test(name)) return 'schedule';
  if (/email/i.test(name)) return 'email';
  if (/date|time|started|finished|modified|created|^ts/i.test(name)) return 'date-time';
  if (/regex|exclude|include|selector|pattern/i.test(name)) return 'regex';
  return 'text';
}

/** Values as the schemas of the document describe them, or as a fool or a foe would send them. */
export class GeneratedValues {
  constructor(
    private readonly random: Random,
    private readonly components: Components,
    /** Ids of what there is. */
    private readonly ids: readonly string[],
  ) {}

  /** Mostly as the schema has it. */
  of(schema: Schema | undefined, name = '', depth = 0): unknown {
    const { random } = this;
    const at = schema ? resolvedSchema(schema, this.components, (choices) => random.pick(choices)) : {};
    if (random.chance(0.02)) return random.pick(HOSTILE);
    if (at.const !== undefined) return at.const;
    if (at.enum) return random.pick(at.enum);
    if (depth > 8) return null;
    if (at.properties) return this.object(at, depth);
    if (at.type === 'array') return Array.from({ length: random.below(4) }, () => this.of(at.items, name, depth + 1));
    if (at.type === 'integer' || at.type === 'number') return random.pick(NUMBERS);
    if (at.type === 'boolean') return random.chance(0.5);
    if (at.type === 'null') return null;
    if (at.type === 'object') return random.chance(0.5) ? {} : { [random.pick(KEYS)]: this.text(name) };
    return this.text(name, at.format);
  }

  /** A text for a field, or for a parameter, of this name. */
  text(name: string, format?: string): string {
    const { random } = this;
    if ((/ids?$/i.test(name) || format === 'uuid') && random.chance(0.7)) return random.pick(this.ids);
    if (random.chance(0.1)) return random.pick(TEXTS[random.pick(Object.keys(TEXTS))] ?? []);
    return random.pick(TEXTS[kindOf(name, format)] ?? []);
  }

  /** The value with something within it replaced, added or gone. */
  mutated(value: unknown): unknown {
    const { random } = this;
    if (typeof value !== 'object' || value === null || random.chance(0.1)) return random.pick(HOSTILE);
    if (Array.isArray(value)) {
      const at = random.below(value.length + 1);
      return value.toSpliced(at, 1, at < value.length ? this.mutated(value[at]) : random.pick(HOSTILE));
    }
    const entries = Object.entries(value);
    if (entries.length === 0 || random.chance(0.1))
      return Object.fromEntries([...entries, [random.pick(KEYS), random.pick(HOSTILE)]]);
    const [key, old] = random.pick(entries);
    const rest = entries.filter(([other]) => other !== key);
    return Object.fromEntries(random.chance(0.1) ? rest : [...rest, [key, this.mutated(old)]]);
  }

  private object({ properties = {}, required = [] }: Schema, depth: number): object {
    const wanted = Object.entries(properties).filter(([name]) => required.includes(name) || this.random.chance(0.3));
    return Object.fromEntries(wanted.map(([name, field]) => [name, this.of(field, name, depth + 1)]));
  }
}
