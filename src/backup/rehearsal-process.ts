import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { compiledProgram } from '../common/compiled-program.js';
import { ownEnvironment } from '../config/own-environment.js';

/** Lines that are kept of one output. */
const MOST_LINES = 50;

export interface Rehearsal {
  /** Folder of the backups. */
  readonly source: string;
  readonly keyFile: string;
  /** Folder that the objects are restored to; empty: the system's for temporary files. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

export interface RehearsalResult {
  readonly isSound: boolean;
  /** The first lines of what it said. */
  readonly lines: readonly string[];
}

/**
 * Rehearses the newest backup in a process of its own: a whole service is started on what was restored, whose memory the
 * service that runs must not carry. The database and the folder have fixed names, so that a rehearsal deletes what one
 * that was killed has left.
 */
export async function rehearseBackup({ source, keyFile, scratch, signal }: Rehearsal): Promise<RehearsalResult> {
  signal.throwIfAborted();
  const options = [
    ...['--name', 'scheduled'],
    ...(keyFile === '' ? [] : ['--key-file', keyFile]),
    ...(scratch === '' ? [] : ['--scratch', scratch]),
  ];
  const child = spawn(
    process.execPath,
    [compiledProgram('src/cli/command-process.js'), 'backup', 'rehearse', ...options, source],
    {
      env: ownEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  try {
    const [[code], said, complained] = await Promise.all([
      once(child, 'exit') as Promise<[number | null]>,
      firstLines(child.stdout as Readable),
      firstLines(child.stderr as Readable),
    ]);
    signal.throwIfAborted();
    return { isSound: code === 0, lines: [...said, ...complained] };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function firstLines(output: Readable): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: output })) if (lines.length < MOST_LINES) lines.push(line);
  return lines;
}
