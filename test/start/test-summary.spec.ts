import { slowest, summary } from '../../scripts/test-summary.mjs';

interface File {
  name: string;
  status: 'passed' | 'failed';
  message?: string;
  assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
}

const passed = (name: string): File => ({
  name: `/repo/${name}`,
  status: 'passed',
  assertionResults: ['one', 'two'].map((fullName) => ({ status: 'passed', fullName })),
});
const failed = (name: string): File => ({
  name: `/repo/${name}`,
  status: 'failed',
  assertionResults: [
    { status: 'passed', fullName: 'one' },
    { status: 'failed', fullName: 'two', failureMessages: ['Error: \u001b[31mtoo late\u001b[39m\n    at here'] },
  ],
});
const notLoaded: File = { name: '/repo/x.spec.ts', status: 'failed', message: 'no such module', assertionResults: [] };
const said = (first: File[], again?: File[]) =>
  summary({ testResults: first }, again && { testResults: again }, '/repo');

describe('the end of a test run', () => {
  it('is its totals where all passed', () => {
    expect(said([passed('a.ts'), passed('b.ts')])).toEqual({ lines: [], totals: '4 passed, 0 failed', code: 0 });
  });

  it('names what failed; a file that cannot be loaded counts as one', () => {
    expect(said([passed('a.ts'), failed('b.ts'), notLoaded])).toEqual({
      lines: ['failed: b.ts', '  two', 'failed: x.spec.ts'],
      totals: '3 passed, 2 failed',
      code: 1,
    });
  });

  it('lists what passed on its second run with its first failure, and counts it', () => {
    expect(said([passed('a.ts'), failed('b.ts'), notLoaded], [passed('b.ts'), passed('x.spec.ts')])).toEqual({
      lines: [
        'flaky, to be mended: b.ts',
        '  two',
        '  Error: too late',
        '      at here',
        'flaky, to be mended: x.spec.ts',
        '  no such module',
        '2 files were flaky',
      ],
      totals: '6 passed, 0 failed',
      code: 0,
    });
  });

  it('is a failure with more than two such files, whose totals stay true', () => {
    const names = ['a.ts', 'b.ts', 'c.ts'];
    const { lines, totals, code } = said(names.map(failed), names.map(passed));
    expect([lines.at(-1), totals, code]).toEqual([
      '3 files were flaky: more than 2, so the run has failed',
      '6 passed, 0 failed',
      1,
    ]);
  });

  it('says of what failed twice only that it failed', () => {
    const { lines, totals, code } = said([failed('a.ts'), failed('b.ts')], [failed('a.ts'), passed('b.ts')]);
    expect(lines.filter((line) => !line.startsWith(' '))).toEqual([
      'failed: a.ts',
      'flaky, to be mended: b.ts',
      '1 file was flaky',
    ]);
    expect([totals, code]).toEqual(['3 passed, 1 failed', 1]);
  });
});

describe('slowest', () => {
  it('tells the files that took longest, longest first', () => {
    const took = (name: string, seconds: number) => ({ name: `/here/${name}`, startTime: 0, endTime: seconds * 1000 });
    const many = Array.from({ length: 30 }, (_, n) => took(`${String(n)}.ts`, n));
    const lines = slowest({ testResults: [took('long.ts', 90.4), ...many] }, '/here');
    expect(lines).toHaveLength(25);
    expect(lines.slice(0, 2)).toEqual(['took 90 s: long.ts', 'took 29 s: 29.ts']);
  });
});
