import { instancesWorthwhile } from './run-commander.js';

describe('instances that there are pages for', () => {
  it.each([
    [4, 0, 2, 1],
    [4, 3, 2, 2],
    [4, 3, 1, 3],
    [2, 1, 4, 1],
    [2, 3, 4, 1],
    [2, 4, 4, 2],
    [3, 8, 4, 3],
    [3, 7, 4, 2],
    [1, 100, 2, 1],
  ])('of %i wanted, with %i pages found and %i windows each: %i', (desired, found, windows, expected) => {
    expect(instancesWorthwhile(desired, found, windows)).toBe(expected);
  });
});
