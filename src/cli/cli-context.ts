/** The starter's functions that commands may use; `bin/muniment.mjs` provides them. */
export interface Launcher {
  /** Runs `npm run up -- …args`; resolves with the exit code when the service has ended. */
  up(args: readonly string[]): Promise<number>;
  /** Finds Chromium or Chrome on this machine, or null; installs nothing. */
  chromiumOnThisMachine(): string | null;
}

/** The output of a command, which tests can read. */
export interface Terminal {
  print(line: string): void;
  complain(line: string): void;
}

export interface CliContext {
  readonly launcher: Launcher;
  readonly terminal: Terminal;
  /** The environment that settings are read from. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A failed command tells the reason by `complain` and sets this. */
  exitCode: number;
}
