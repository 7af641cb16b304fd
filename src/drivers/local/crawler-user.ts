import { spawn } from 'node:child_process';
import { chmod, chown, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CHILD_PATH } from './local-settings.js';

/** The user of the official crawler image. On most machines nobody has this id, so it owns nothing (crawling §14.2). */
const CRAWLER_ID = 201_407;
const PROBE_TIMEOUT_MS = 10_000;

export interface CrawlerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user for crawlers when the service itself runs as root. With a user of its own the browser keeps its sandbox and
 * cannot read the service's files. Undefined: crawlers run as the service's user. Then the service is not root, or the
 * other user could not reach the program or the work directory (`why` is then called).
 */
export async function crawlerUser(
  dataDir: string,
  entry: string,
  why: (reason: string) => void,
): Promise<CrawlerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const user = { uid: CRAWLER_ID, gid: CRAWLER_ID };
  await openTheWay(dataDir, user);
  const reason = await probe(entry, join(dataDir, 'work'), user);
  if (reason === null) return user;
  why(reason);
  return undefined;
}

/** Lets the crawler's group pass through the data directory to `work`, and to nothing else in it. */
async function openTheWay(dataDir: string, user: CrawlerUser): Promise<void> {
  const work = join(dataDir, 'work');
  await mkdir(work, { recursive: true, mode: 0o710 });
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    const stat = await lstat(path);
    if (name !== 'work' && !stat.isSymbolicLink() && stat.uid === 0) await chmod(path, stat.mode & 0o7700);
  }
  for (const path of [dataDir, work]) {
    await chown(path, 0, user.gid);
    await chmod(path, 0o710);
  }
}

/** The reason why a process of that user cannot run the program or reach the directory. Null when it can. */
function probe(entry: string, work: string, user: CrawlerUser): Promise<string | null> {
  const script = `const fs=require('node:fs');fs.accessSync(${JSON.stringify(entry)},4);fs.accessSync(${JSON.stringify(work)},1)`;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', script], {
      ...user,
      cwd: '/',
      env: { PATH: CHILD_PATH },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: PROBE_TIMEOUT_MS,
    });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) =>
      resolve(code === 0 ? null : (/Error: .*/.exec(text)?.[0] ?? `exit code ${String(code)}`)),
    );
  });
}
