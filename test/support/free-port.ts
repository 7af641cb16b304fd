import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what any system hands out by itself, so that nothing else gets one before its server listens. */
const [LOWEST, HIGHEST] = [10_100, 15_999];
/** Jest's workers have ports of their own: none takes one that another's server has not come to listen on yet. */
const WORKERS = 8;
const WORKER = Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS;

const given = new Set<number>();

/** A loopback port for a server that has to be told its port; another one each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST + 1);
    if (port % WORKERS !== WORKER || given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

/**
 * The first three numbers of loopback addresses for what stands for containers: these listen on fixed ports, so that
 * those of test files that run at once must not share an address.
 */
export const containerNet = (): string => `127.${String(16 + WORKER)}.${String(randomInt(256))}`;

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
