import { waitBeforeTry } from './backoff.js';

describe('the waits between tries', () => {
  it('double, and chance only lengthens them', () => {
    expect([1, 2, 3, 4].map((made) => waitBeforeTry(made, 1000, 0))).toEqual([1000, 2000, 4000, 8000]);
    expect([1, 2, 3, 4].map((made) => waitBeforeTry(made, 1000, 1))).toEqual([1250, 2500, 5000, 10_000]);
  });
});
