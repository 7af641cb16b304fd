/** What the plain-JavaScript starter lends to the commands; `bin/muniment.mjs` fills it in. */
export interface Launcher {
  /** `npm run up -- …args`; resolves with the exit code when the service has ended. */
  up(args: readonly string[]): Promise<number>;
  /** Chromium or Chrome of this machine, or null; installs nothing. */
  chromiumOnThisMachine(): string | null;
}

/** Where a command writes, so that tests can read it. */
export interface Terminal {
  print(line: string): void;
  complain(line: string): void;
}

export interface CliContext {
  readonly launcher: Launcher;
  readonly terminal: Terminal;
  /** The environment that settings are read from. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A command that has failed says why by `complain` and sets this. */
  exitCode: number;
}
