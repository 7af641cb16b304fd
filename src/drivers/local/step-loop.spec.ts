import { StepLoop } from './step-loop.js';

/** Steps that a test ends by hand. */
class HandMadeSteps {
  begun = 0;
  readonly errors: unknown[] = [];
  private readonly ends: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  readonly loop = new StepLoop(
    () => {
      this.begun += 1;
      return new Promise((resolve, reject) => this.ends.push({ resolve, reject }));
    },
    (error) => this.errors.push(error),
  );

  /** Ends the step under way. */
  async end(error?: Error): Promise<void> {
    const step = this.ends.shift();
    if (error) step?.reject(error);
    else step?.resolve();
    await turns();
  }
}

/** Lets all work run that waits for nothing but promises. */
const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a loop of steps', () => {
  let steps: HandMadeSteps;
  beforeEach(() => (steps = new HandMadeSteps()));

  it('takes no step before whoever asked for it has returned', async () => {
    steps.loop.kick();
    expect(steps.begun).toBe(0);
    await turns();
    expect(steps.begun).toBe(1);
  });

  it('takes one more step, and only then, for all that was asked during one', async () => {
    steps.loop.kick();
    await turns();
    steps.loop.kick();
    steps.loop.kick();
    await turns();
    expect(steps.begun).toBe(1);
    await steps.end();
    expect(steps.begun).toBe(2);
    await steps.end();
    await steps.loop.settled();
    expect(steps.begun).toBe(2);
  });

  it('goes on after a step that failed, and tells of it', async () => {
    steps.loop.kick();
    await turns();
    const error = new Error('full');
    await steps.end(error);
    expect(steps.errors).toEqual([error]);
    steps.loop.kick();
    await turns();
    expect(steps.begun).toBe(2);
  });

  it('begins no step once it is closed', async () => {
    steps.loop.kick();
    await turns();
    steps.loop.kick();
    steps.loop.close();
    await steps.end();
    await steps.loop.settled();
    steps.loop.kick();
    await turns();
    expect(steps.begun).toBe(1);
  });
});
