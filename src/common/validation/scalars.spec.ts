import { bool, int, num, str } from './scalars.js';

const valueOf = (parsed: { ok: boolean; value?: unknown; issues?: readonly { type: string }[] }): unknown =>
  parsed.ok ? parsed.value : parsed.issues?.[0]?.type;

describe('integers', () => {
  it.each([
    [5, 5],
    [5.0, 5],
    ['5', 5],
    [' 5 ', 5],
    ['5.0', 5],
    [true, 1],
    [false, 0],
    ['1e3', 'int_parsing'],
    ['', 'int_parsing'],
    ['x', 'int_parsing'],
    [5.5, 'int_from_float'],
    [null, 'int_type'],
    [[], 'int_type'],
    ['99999999999999999999', 'int_parsing_size'],
  ])('reads %p as %p', (given, expected) => expect(valueOf(int().parse(given))).toBe(expected));

  it.each([['2'], [2.5], [true]])('refuses %p where the contract is strict', (given) =>
    expect(valueOf(int({ strict: true }).parse(given))).toBe('int_type'),
  );

  it('names the bound that was passed', () => {
    expect(int({ min: 1 }).parse('0')).toMatchObject({
      issues: [{ type: 'greater_than_equal', input: '0', ctx: { ge: 1 } }],
    });
    expect(int({ max: 8 }).parse(9)).toMatchObject({ issues: [{ type: 'less_than_equal', ctx: { le: 8 } }] });
  });
});

describe('booleans', () => {
  it.each([
    ['TRUE', true],
    ['t', true],
    ['yes', true],
    ['Y', true],
    ['on', true],
    ['1', true],
    [1, true],
    ['off', false],
    ['n', false],
    [0, false],
    ['', 'bool_parsing'],
    ['maybe', 'bool_parsing'],
    [2, 'bool_parsing'],
    [null, 'bool_type'],
  ])('reads %p as %p', (given, expected) => expect(valueOf(bool().parse(given))).toBe(expected));
});

describe('text', () => {
  it('counts code points, not UTF-16 units', () => {
    expect(str({ max: 2 }).parse('😀😀').ok).toBe(true);
    expect(valueOf(str({ max: 1 }).parse('😀😀'))).toBe('string_too_long');
  });

  it('refuses numbers', () => expect(valueOf(str().parse(5))).toBe('string_type'));
});

describe('numbers', () => {
  it.each([
    ['0.5', 0.5],
    [1, 1],
    ['1e3', 1000],
    ['0x10', 'float_parsing'],
    ['', 'float_parsing'],
    [{}, 'float_type'],
  ])('reads %p as %p', (given, expected) => expect(valueOf(num().parse(given))).toBe(expected));
});
