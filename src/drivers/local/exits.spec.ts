import { countFruitless, isHopeless, MAX_FRUITLESS, recordExit } from './exits.js';
import { newRecord, type RunRecord } from './run/run-record.js';

const at = new Date('2026-11-21T08:00:00Z');
const aRecord = (): RunRecord =>
  newRecord({
    jobId: 'job',
    oid: 'org',
    storage: { ref: { name: 'default', custom: false }, keyPrefix: '' },
    sinceMs: 0,
  });

/** The number of these ends after which the run is given up. Null: it is not, within twice the bound. */
function endsUntilHopeless(
  codeOf: (start: number) => number,
  doneOf: (start: number) => number = () => 0,
): number | null {
  const record = aRecord();
  for (let start = 1; start <= 2 * MAX_FRUITLESS; start++) {
    record.done = doneOf(start);
    recordExit(record, { code: codeOf(start) }, at, undefined);
    countFruitless(record);
    if (isHopeless(record)) return start;
  }
  return null;
}

describe('a crawler that dies again and again', () => {
  it.each([1, 10, 134, 137, 139])('is given up after a bounded number of starts that end with %i', (code) => {
    expect(endsUntilHopeless(() => code)).toBe(MAX_FRUITLESS);
  });

  it('goes on as long as each start comes to a page more', () => {
    expect(
      endsUntilHopeless(
        () => 1,
        (start) => start,
      ),
    ).toBeNull();
    expect(
      endsUntilHopeless(
        () => 1,
        (start) => Math.floor(start / 6),
      ),
    ).toBeNull();
  });

  it('is given up once no page more comes', () => {
    expect(
      endsUntilHopeless(
        () => 1,
        (start) => Math.min(start, 3),
      ),
    ).toBe(3 + MAX_FRUITLESS);
  });

  it('is given up once its proxy could not be reached so often', () => {
    expect(endsUntilHopeless(() => 21)).toBe(MAX_FRUITLESS);
  });

  it.each([3, 16, 18])('goes on when it waits for something outside (%i)', (code) => {
    expect(endsUntilHopeless(() => code)).toBeNull();
  });
});
