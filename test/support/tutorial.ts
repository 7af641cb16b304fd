import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';

export interface Step {
  readonly command: string;
  /** Lines it prints; `…` is anything. */
  readonly output: string;
}

/** A page of `docs/`. */
export function readDocument(name: string): Promise<string> {
  return readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

/** The commands of the `console` blocks, with what each prints. */
export function stepsOf(document: string): Step[] {
  const blocks = [...document.matchAll(/```console\n([^]*?)```/g)].map(([, block]) => block ?? '');
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...lines] = step.split('\n');
        return { command, output: lines.join('\n').trim() };
      }),
  );
}

const MARK = '--- end of step ---';

/**
 * Runs the steps in one shell and returns what each printed.
 * @throws with what was printed when the shell complains or the bound is over
 */
export function runSteps(
  steps: readonly Step[],
  env: Readonly<Record<string, string>>,
  { cwd = tmpdir(), boundMs = 240_000 }: { cwd?: string; boundMs?: number } = {},
): Promise<string[]> {
  const script = steps.map(({ command }) => `${command}\nprintf '\\n${MARK}\\n'`).join('\n');
  return new Promise((resolve, reject) => {
    // A group of its own: what a step has left running ends with the shell.
    const shell = spawn('bash', ['-u', '-s'], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env },
      detached: true,
    });
    let [printed, complained, late] = ['', '', false];
    const endAll = () => {
      try {
        if (shell.pid) process.kill(-shell.pid, 'SIGKILL');
      } catch {
        // Nothing of the group is left.
      }
    };
    const timer = setTimeout(() => {
      late = true;
      endAll();
    }, boundMs);
    shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
    shell.on('error', reject);
    shell.on('close', () => {
      clearTimeout(timer);
      endAll();
      if (complained === '' && !late) return resolve(printed.split(MARK).map((text) => text.trim()));
      reject(new Error(`${late ? 'took too long' : complained}; printed so far:\n${printed}`));
    });
    shell.stdin.end(script);
  });
}

/** What a command of the document prints, as a pattern. */
export const asPattern = (output: string): RegExp =>
  new RegExp(`^${output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^]*')}$`);
