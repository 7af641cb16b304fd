import { Turns } from './turns.js';

/** Work that ends when it is told to. */
function task() {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => (end = resolve));
  return { end, over };
}

describe('turns', () => {
  it('let no more run at a time, in the order of coming', async () => {
    const turns = new Turns(2);
    const tasks = Array.from({ length: 5 }, task);
    const begun: number[] = [];
    const all = tasks.map(({ over }, n) =>
      turns.run(async () => {
        begun.push(n);
        await over;
        return n;
      }),
    );
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    tasks[1]?.end();
    expect(await all[1]).toBe(1);
    await Promise.resolve();
    expect(begun).toEqual([0, 1, 2]);
    tasks.forEach(({ end }) => end());
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4]);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('are given back by work that fails', async () => {
    const turns = new Turns(1);
    const failing = turns.run(() => Promise.reject(new Error('no')));
    const next = turns.run(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await turns.run(() => Promise.resolve('again'))).toBe('again');
  });
});
