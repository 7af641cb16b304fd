import { mayRecreate, nextRecreation, type Recreation } from './recreation.js';

const START = Date.parse('2026-01-01T12:00:00Z');
const after = (seconds: number): Date => new Date(START + seconds * 1000);

describe('an instance that its node loses again and again', () => {
  it('is made again at once, then after 10, 20, 40 seconds and so on, up to 300', () => {
    let last: Recreation | undefined;
    expect(mayRecreate(last, after(0))).toBe(true);
    let at = 0;
    for (const wait of [10, 20, 40, 80, 160, 300, 300, 300]) {
      last = nextRecreation(last, after(at), after(at));
      expect([wait, mayRecreate(last, after(at + wait - 1)), mayRecreate(last, after(at + wait))]).toEqual([
        wait,
        false,
        true,
      ]);
      at += wait;
    }
  });

  it('counts as new when it was well for ten minutes', () => {
    const last = { count: 5, at: after(0).toISOString() };
    expect(nextRecreation(last, after(0), after(599)).count).toBe(6);
    expect(nextRecreation(last, after(0), after(600)).count).toBe(1);
    expect(nextRecreation(last, undefined, after(600)).count).toBe(6);
  });
});
