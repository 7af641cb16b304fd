import { boundariesOf, boundaryText, fillBuckets } from './thresholds.js';
import { InvalidThresholds, MissingThresholds } from './qa.errors.js';

describe('thresholds', () => {
  it.each([
    ['0.7,0.9', [0, 0.7, 0.9, 1.1]],
    ['0.9, 0.7', [0, 0.7, 0.9, 1.1]],
    ['0,0.5,0.5,1', [0, 0.5, 1, 1.1]],
  ])('reads %p', (text, expected) => expect(boundariesOf(text)).toEqual(expected));

  it.each(['a', '0.5,', '-0.1', '1.5', 'NaN', '0x1'])('refuses %p', (text) => {
    expect(() => boundariesOf(text)).toThrow(InvalidThresholds);
  });

  it('asks for some', () => expect(() => boundariesOf('')).toThrow(MissingThresholds));

  it('writes boundaries as Python does', () => expect([0, 0.7, 1].map(boundaryText)).toEqual(['0.0', '0.7', '1.0']));

  it('shows empty buckets below 1, the one from 1 and "No data" only with pages', () => {
    expect(fillBuckets([0, 0.7, 0.9, 1.1], [{ from: 0.9, count: 1 }])).toEqual([
      { lowerBoundary: '0.0', count: 0 },
      { lowerBoundary: '0.7', count: 0 },
      { lowerBoundary: '0.9', count: 1 },
    ]);
    expect(
      fillBuckets(
        [0, 1, 1.1],
        [
          { from: 1, count: 2 },
          { from: null, count: 3 },
        ],
      ),
    ).toEqual([
      { lowerBoundary: '0.0', count: 0 },
      { lowerBoundary: '1.0', count: 2 },
      { lowerBoundary: 'No data', count: 3 },
    ]);
  });
});
