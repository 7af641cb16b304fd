import { execFile, type ExecFileException } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

const CLONE_TIMEOUT_MS = 120_000;
/** Largest clone of the newest commit, packed. A repository of behaviors has some hundred kilobytes. */
export const MAX_CLONE_BYTES = 200_000_000;
const ULIMIT_BLOCK_BYTES = 512;
/** Largest answer of git: a list of some ten thousand files, or the largest file that is read. */
const MAX_ANSWER_BYTES = 6_000_000;
/** Exit code of a shell for a missing program. */
const NO_PROGRAM = 127;

/** A plain file in a repository's folder. */
export interface GitFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** @throws GitFailed */
  read(): Promise<string>;
}

/** The reason why a repository could not be read, without file names of this machine. */
export class GitFailed extends Error {}

export interface GitFolder {
  readonly url: string;
  /** Name of the branch; absent: the default branch. */
  readonly branch?: string | undefined;
  /** Path of the folder in the repository; empty: the top folder. */
  readonly path: string;
}

interface Machine {
  /** A working folder and an unused name in it. */
  readonly workDir: string;
  readonly name: string;
  /** Variables for git: its path and the certificates it trusts. */
  readonly programs: Readonly<Record<string, string>>;
  /** URL of the guard, so that a repository is no way into private networks. */
  readonly proxyUrl: string;
  readonly maxBytes: number;
}

/**
 * Clones the newest commit, hands the plain files of one folder to `use`, and deletes the clone.
 *
 * Nothing is checked out, because a repository's names, links, submodules, attributes and hooks act only on a working
 * tree. Files are read from the object store by their ids.
 * @throws GitFailed
 */
export async function withGitFolder<T>(
  { url, branch, path }: GitFolder,
  machine: Machine,
  use: (files: GitFile[]) => Promise<T>,
): Promise<T> {
  const folder = folderPath(path);
  const clone = join(machine.workDir, machine.name);
  const git = new Git(machine);
  await rm(clone, { recursive: true, force: true });
  try {
    const only = ['--bare', '--depth', '1', '--single-branch', '--no-tags', '--no-recurse-submodules', '--template='];
    await git.run(['clone', '--quiet', ...only, ...(branch ? ['--branch', branch] : []), '--', url, machine.name]);
    const within = `--git-dir=${machine.name}`;
    const list = await git.run([within, 'ls-tree', '-l', '-z', `HEAD:${folder}`]).catch(() => {
      throw new GitFailed('the repository has no such folder');
    });
    return await use(plainFiles(list, (id) => git.run([within, 'cat-file', 'blob', id])));
  } finally {
    await rm(clone, { recursive: true, force: true });
  }
}

/** Writes the path as git needs it after `HEAD:`. @throws GitFailed for a path that leads out */
function folderPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new GitFailed('path leads out of the repository');
  return parts.join('/');
}

/** Parses entries `<mode> <type> <id> <size>\t<name>`, each followed by a zero byte (git-ls-tree(1)). */
function plainFiles(list: string, read: (id: string) => Promise<string>): GitFile[] {
  return list.split('\0').flatMap((entry) => {
    const [, id = '', size = '', name = ''] = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t(.+)$/su.exec(entry) ?? [];
    return name ? [{ name, sizeBytes: Number(size), read: () => read(id) }] : [];
  });
}

function reason(error: ExecFileException, complaint: string): string {
  if (error.code === NO_PROGRAM) return 'there is no git program on this machine: install git';
  if (error.killed) return 'git did not end in time, or said too much';
  if (/File too large|died of signal|invalid index-pack output/.test(complaint)) return 'the repository is too large';
  return /^(?:fatal|error): .*$/m.exec(complaint)?.[0] ?? 'git failed';
}

/** Runs git with its own environment and a limit on what it may write. */
class Git {
  constructor(private readonly machine: Machine) {}

  /** Returns the output. @throws GitFailed */
  run(args: string[]): Promise<string> {
    const { workDir, programs, proxyUrl, maxBytes } = this.machine;
    const env = {
      ...programs,
      LC_ALL: 'C',
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'http:https',
    };
    const settings = [`http.proxy=${proxyUrl}`, 'core.symlinks=false', 'core.hooksPath=/dev/null'];
    const given = [...settings.flatMap((setting) => ['-c', setting]), ...args];
    // The kernel ends a program that writes a larger file; the pack of a clone is such a file.
    const limited = `ulimit -f ${String(Math.ceil(maxBytes / ULIMIT_BLOCK_BYTES))} 2>/dev/null; exec git "$@"`;
    const options = { cwd: workDir, env, timeout: CLONE_TIMEOUT_MS, maxBuffer: MAX_ANSWER_BYTES };
    return new Promise((resolve, reject) => {
      execFile('/bin/sh', ['-c', limited, 'git', ...given], options, (error, said, complaint) => {
        if (error) reject(new GitFailed(reason(error, complaint)));
        else resolve(said);
      });
    });
  }
}
