/** The product as a user starts it on an empty folder, and memory of its process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, ROOT } from '../../scripts/provision/lib.mjs';
import { scratchDir } from './command.mjs';

const PASSWORD = 'PASSW0RD!of-benches';
const SAMPLE_MS = 20;

/** Starts the product on an empty folder. `env`: settings. */
export async function startProduct(env = {}) {
  const dataDir = scratchDir();
  const port = await freePort();
  const args = ['bin/up.mjs', '--data-dir', dataDir, '--port', String(port)];
  const settings = { SUPERUSER_PASSWORD: PASSWORD, SUPERUSER_EMAIL: 'admin@example.com', ...env };
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...settings },
  });
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.includes('Stop it with Ctrl-C')) break;
  }
  child.stdout.resume();
  if (!output.includes('Muniment is running')) throw new Error(`The service did not start:\n${output}`);
  const { api } = JSON.parse(readFileSync(path.join(dataDir, 'run', 'up.json'), 'utf8'));
  const url = `http://127.0.0.1:${port}`;
  const token = await login(url);
  const call = async (method, route, body) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${url}/api${route}`, { method, headers, body: body && JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { items } = await call('GET', '/orgs');
  return {
    ...{ url, token, dataDir, call, pid: Number.parseInt(api, 10), oid: items[0].id },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function login(url) {
  const body = new URLSearchParams({ username: 'admin@example.com', password: PASSWORD });
  const response = await fetch(`${url}/api/auth/jwt/login`, { method: 'POST', body });
  return (await response.json()).access_token;
}

const residentBytes = (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;

/** Runs `work` and tells how far the process's resident memory rose above what it had before. */
export async function watchingMemory(pid, work) {
  const before = residentBytes(pid);
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, residentBytes(pid))), SAMPLE_MS);
  try {
    return { result: await work(), growthMb: () => (peak - before) / 2 ** 20 };
  } finally {
    clearInterval(timer);
  }
}

/** Runs a program to its end. @returns what it printed */
export async function run(program, args, options = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output}`);
  return output;
}

/** Calls until `done` says so. */
export async function until(done, ms = 60_000) {
  for (const end = performance.now() + ms; performance.now() < end; await delay(200)) if (await done()) return;
  throw new Error('this did not happen in time');
}
