/**
 * Figures of the start: `node bench/start.mjs [runs]`. The time from the command to the first screen with everything
 * installed and built (warm), and the resident memory of the service and its database after ten idle seconds.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, ROOT } from '../scripts/provision/lib.mjs';

const IDLE_MS = 10_000;
const runs = Number(process.argv[2] ?? 5);
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'muniment-bench-'));
const port = await freePort();

try {
  const first = await start();
  await stop(first);
  print(`first start on an empty folder: ${first.readyMs} ms`);
  const warm = [];
  for (let i = 0; i < runs; i += 1) {
    const product = await start();
    warm.push(product.readyMs);
    if (i === runs - 1) await memory();
    await stop(product);
  }
  warm.sort((a, b) => a - b);
  print(
    `warm start, ${runs} runs: median ${warm[Math.floor(runs / 2)]} ms, best ${warm[0]} ms, worst ${warm.at(-1)} ms`,
  );
  print(`load average during the runs: ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} cores`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function start() {
  const began = performance.now();
  const args = ['bin/up.mjs', '--data-dir', dataDir, '--port', String(port)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (output.includes('Stop it with Ctrl-C')) break;
  }
  if (!output.includes('Muniment is running')) throw new Error('The service did not start.');
  child.stdout.resume();
  return { child, readyMs: Math.round(performance.now() - began) };
}

async function stop({ child }) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function memory() {
  await delay(IDLE_MS);
  const { api, mongod } = JSON.parse(readFileSync(path.join(dataDir, 'run', 'up.json'), 'utf8'));
  const [service, database] = [api, mongod].map(residentMb);
  print(`idle memory: service ${service} MB + database ${database} MB = ${service + database} MB RSS`);
}

function residentMb(identity) {
  const status = readFileSync(`/proc/${Number.parseInt(identity, 10)}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) / 1024);
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
