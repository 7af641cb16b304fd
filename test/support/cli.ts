import { runCli } from '../../src/cli/cli.js';

export interface CliRun {
  readonly code: number;
  readonly printed: string;
  readonly complained: string;
}

/** Runs a command in this process. @param variables its environment, beside the tests' database */
export async function cli(argv: readonly string[], variables: Readonly<Record<string, string>>): Promise<CliRun> {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await runCli(argv, {
    launcher: {
      up: () => Promise.resolve(1),
      chromiumOnThisMachine: () => null,
      withDatabase: (work) => work({}),
    },
    terminal: { print: (line) => void printed.push(line), complain: (line) => void complained.push(line) },
    variables: { MONGO_DB_URL: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '', ...variables },
    exitCode: 0,
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}
