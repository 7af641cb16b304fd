import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ADMIN } from './start-app.js';

const BUILT = path.resolve(import.meta.dirname, '..', '..', 'dist', 'src', 'create-app.js');

export interface ApiProcess {
  readonly child: ChildProcess;
  readonly baseUrl: string;
}

export interface ForkedApi {
  readonly child: ChildProcess;
  /** The next message of the process. @throws with what it complained of when it ends instead */
  said(): Promise<string>;
}

/**
 * Starts the built service in a process of its own, on a free port.
 * @param variables at least MONGO_DB_URL, MONGO_DB_NAME and DATA_DIR
 * @param execArgv of its Node.js
 * @param script what it runs, in this folder
 * @throws with what it complained of when it ends before it listens
 */
export async function startApiProcess(
  variables: Readonly<Record<string, string>>,
  execArgv: readonly string[] = [],
  script = 'api-child.mjs',
): Promise<ApiProcess> {
  return listening(forkApi(variables, execArgv, script));
}

/** The process once it has said where it listens. */
export async function listening({ child, said }: ForkedApi): Promise<ApiProcess> {
  return { child, baseUrl: (await said()).replace('[::1]', '127.0.0.1') };
}

/** Starts a process and waits for nothing. The parameters are those of `startApiProcess`. */
export function forkApi(
  variables: Readonly<Record<string, string>>,
  execArgv: readonly string[],
  script: string,
): ForkedApi {
  if (!existsSync(BUILT)) throw new Error('The service is not built: npm run build');
  const { PATH = '', HOME = '' } = process.env;
  const child = fork(path.resolve(import.meta.dirname, script), {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [...execArgv],
    env: {
      PATH,
      HOME,
      SUPERUSER_EMAIL: ADMIN.email,
      SUPERUSER_PASSWORD: ADMIN.password,
      CRAWL_DRIVER: 'fake',
      PASSWORD_HASH_COST: '10',
      LOG_LEVEL: 'silent',
      ...variables,
    },
  });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`The service ended:\n${complaint}`)));
  ended.catch(() => undefined);
  const said = async (): Promise<string> => ((await Promise.race([once(child, 'message'), ended])) as [string])[0];
  return { child, said };
}

/** Kills it with -9 and waits until it is gone. */
export async function killApiProcess({ child }: Pick<ApiProcess, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
