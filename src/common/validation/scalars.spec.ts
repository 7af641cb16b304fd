import { Int } from './fields.js';
import { converted, faultsOf, type Kind } from './kind.js';
import { parseModel } from './parse-model.js';
import { bool, int, num, str } from './scalars.js';

/** The value that is read, or the type of what is wrong with it. */
const reading = (kind: Kind<unknown>, sent: unknown): unknown => {
  const value = converted(kind, sent);
  return faultsOf(kind, value)[0]?.type ?? value;
};

class AtLeastOne {
  @Int({ min: 1 }) n!: number;
}

class AtMostEight {
  @Int({ max: 8 }) n!: number;
}

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
  ])('reads %p as %p', (given, expected) => expect(reading(int(), given)).toBe(expected));

  it.each([['2'], [2.5], [true]])('refuses %p where the contract is strict', (given) =>
    expect(reading(int({ strict: true }), given)).toBe('int_type'),
  );

  it('names the bound that was passed', () => {
    expect(parseModel(AtLeastOne, { n: '0' })).toMatchObject({
      issues: [{ type: 'greater_than_equal', input: '0', ctx: { ge: 1 } }],
    });
    expect(parseModel(AtMostEight, { n: 9 })).toMatchObject({ issues: [{ type: 'less_than_equal', ctx: { le: 8 } }] });
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
  ])('reads %p as %p', (given, expected) => expect(reading(bool(), given)).toBe(expected));
});

describe('text', () => {
  it('counts code points, not UTF-16 units', () => {
    expect(reading(str({ max: 2 }), '😀😀')).toBe('😀😀');
    expect(reading(str({ max: 1 }), '😀😀')).toBe('string_too_long');
  });

  it('refuses numbers', () => expect(reading(str(), 5)).toBe('string_type'));
});

describe('numbers', () => {
  it.each([
    ['0.5', 0.5],
    [1, 1],
    ['1e3', 1000],
    ['0x10', 'float_parsing'],
    ['', 'float_parsing'],
    [{}, 'float_type'],
  ])('reads %p as %p', (given, expected) => expect(reading(num(), given)).toBe(expected));
});
