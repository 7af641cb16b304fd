import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { tmpdir } from 'node:os';

export type TutorialPart =
  /** A command, and the lines it prints; `…` is anything. */
  | { readonly kind: 'command'; readonly command: string; readonly output: string }
  /** What the reader does without the shell, by the name of its block. */
  | { readonly kind: 'hand'; readonly name: string };

/** The `console` and `by-hand` blocks of a document, in its order. */
export function partsOf(document: string): TutorialPart[] {
  const blocks = [...document.matchAll(/```(console|by-hand)([^\n]*)\n([^]*?)```/g)];
  return blocks.flatMap(([, kind, name = '', text = '']): TutorialPart[] => {
    if (kind === 'by-hand') return [{ kind: 'hand', name: name.trim() }];
    const steps = text.split(/^\$ /m).slice(1);
    return steps.map((step) => {
      const [command = '', ...lines] = step.split('\n');
      return { kind: 'command', command, output: lines.join('\n').trim() };
    });
  });
}

const MARK = '--- end of step ---';

/** One shell that is given a command at a time, so that something else can happen between two of them. */
export class TutorialShell {
  private readonly shell: ChildProcessWithoutNullStreams;
  private printed = '';
  private complained = '';
  private changed: () => void = () => undefined;

  constructor(env: Readonly<Record<string, string>>) {
    // A group of its own: what a step has left running ends with the shell.
    this.shell = spawn('bash', ['-u', '-s'], {
      cwd: tmpdir(),
      env: { PATH: process.env['PATH'] ?? '', ...env },
      detached: true,
    });
    this.shell.stdout.on('data', (chunk: Buffer) => {
      this.printed += chunk.toString();
      this.changed();
    });
    this.shell.stderr.on('data', (chunk: Buffer) => (this.complained += chunk.toString()));
    this.shell.once('close', () => this.changed());
  }

  /** @returns what the command printed. @throws when the shell complains, ends, or the bound is over */
  async run(command: string, boundMs: number): Promise<string> {
    this.printed = '';
    this.shell.stdin.write(`${command}\nprintf '\\n${MARK}\\n'\n`);
    const late = setTimeout(() => this.close(), boundMs);
    while (!this.printed.includes(MARK)) {
      if (this.shell.exitCode !== null || this.shell.signalCode !== null) break;
      await new Promise<void>((resolve) => (this.changed = resolve));
    }
    clearTimeout(late);
    if (this.complained !== '' || !this.printed.includes(MARK))
      throw new Error(`${command}\n${this.complained || 'took too long'}; printed so far:\n${this.printed}`);
    return this.printed.slice(0, this.printed.indexOf(MARK)).trim();
  }

  close(): void {
    try {
      if (this.shell.pid) process.kill(-this.shell.pid, 'SIGKILL');
    } catch {
      // Nothing of the group is left.
    }
  }
}
