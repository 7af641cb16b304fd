import path from 'node:path';

/** So many files that passed only on their second run are an accident of the machine; more of them fail the run. */
const MAX_FLAKY = 2;
/** Of a failure that was not repeated: enough to find it by. */
const FAILURE_LINES = 12;
/** So many files take about a fifth of a run. */
const SLOWEST = 25;

/**
 * What to say at the end of a run.
 * @param first jest's report
 * @param again jest's report of those files that failed and were run once more, if any were
 * @param root what file names are said relative to
 * @returns lines about what failed and what was flaky; `N passed, N failed` of the last run of each file; the exit code
 */
export function summary(first, again, root) {
  const second = new Map((again?.testResults ?? []).map((file) => [file.name, file]));
  const last = first.testResults.map((file) => second.get(file.name) ?? file);
  const lines = [];
  const total = { passed: 0, failed: 0 };
  for (const { name, status, assertionResults } of last) {
    for (const test of assertionResults) if (test.status in total) total[test.status]++;
    if (status !== 'failed') continue;
    const failures = failed(assertionResults);
    lines.push(`failed: ${path.relative(root, name)}`, ...failures.map(({ fullName }) => `  ${fullName}`));
    // A file that could not even be loaded is a failure that jest does not count as a test.
    if (failures.length === 0) total.failed++;
  }
  const flaky = first.testResults.filter(({ name }) => second.get(name)?.status === 'passed');
  for (const file of flaky) lines.push(`flaky, to be mended: ${path.relative(root, file.name)}`, ...firstFailure(file));
  const isTooFlaky = flaky.length > MAX_FLAKY;
  const why = isTooFlaky ? `: more than ${MAX_FLAKY}, so the run has failed` : '';
  if (again) lines.push(`${flaky.length} ${flaky.length === 1 ? 'file was' : 'files were'} flaky${why}`);
  const totals = `${total.passed} passed, ${total.failed} failed`;
  return { lines, totals, code: total.failed > 0 || isTooFlaky ? 1 : 0 };
}

/** The files that took longest, longest first: what to look at when a run nears its limit. */
export function slowest({ testResults }, root) {
  const took = testResults.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }));
  const longest = took.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  return longest.map(({ name, ms }) => `took ${Math.round(ms / 1000)} s: ${path.relative(root, name)}`);
}

const failed = (results) => results.filter(({ status }) => status === 'failed');

function firstFailure({ assertionResults, message }) {
  const [test] = failed(assertionResults);
  const text = test ? `${test.fullName}\n${(test.failureMessages ?? []).join('\n')}` : (message ?? '');
  // Without the colours of a terminal.
  const plain = text.replace(/\u001b\[\d*m/g, '').split('\n');
  return plain
    .filter((line) => line.trim() !== '')
    .slice(0, FAILURE_LINES)
    .map((line) => `  ${line}`);
}
