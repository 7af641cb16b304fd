import { Coalesced } from './coalesced.js';

describe('coalesced work', () => {
  it('runs once more for all calls that came while it ran', async () => {
    let [runs, parallel, most] = [0, 0, 0];
    const work = new Coalesced(async () => {
      most = Math.max(most, ++parallel);
      await new Promise((resolve) => setImmediate(resolve));
      parallel--;
      return ++runs;
    });
    const results = await Promise.all([work.run(), work.run(), work.run(), work.run()]);
    expect([results, runs, most]).toEqual([[1, 2, 2, 2], 2, 1]);
    expect(await work.run()).toBe(3);
  });

  it('goes on after a failed run', async () => {
    let runs = 0;
    const work = new Coalesced(async () => {
      if (++runs === 1) throw new Error('first');
      return Promise.resolve(runs);
    });
    const [first, second] = await Promise.allSettled([work.run(), work.run()]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  });
});
