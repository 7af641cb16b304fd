interface Report {
  testResults: readonly {
    name: string;
    status: 'passed' | 'failed';
    message?: string;
    assertionResults: readonly { status: string; fullName: string; failureMessages?: readonly string[] }[];
  }[];
}

/** See test-summary.mjs. */
export function summary(
  first: Report,
  again: Report | undefined,
  root: string,
): { lines: string[]; totals: string; code: number };

/** See test-summary.mjs. */
export function slowest(
  report: { testResults: readonly { name: string; startTime: number; endTime: number }[] },
  root: string,
): string[];
