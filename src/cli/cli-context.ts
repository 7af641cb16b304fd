/** The starter's functions that commands may use; `bin/muniment.mjs` provides them. */
export interface Launcher {
  /** Runs `npm run up -- …args`; resolves with the exit code when the service has ended. */
  up(args: readonly string[]): Promise<number>;
  /**
   * Does work on the database of the settings, while no service runs on the data folder. Where the settings name none,
   * the data folder's own is started and stopped again. @param work gets the settings of that database
   */
  withDatabase<T>(work: (variables: Readonly<Record<string, string>>) => Promise<T>): Promise<T>;
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
