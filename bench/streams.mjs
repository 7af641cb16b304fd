/** What open consoles cost while nothing happens, and how soon they are told; see USAGE. */
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ascending, helpOr, load, median, ms, option, print } from './lib/command.mjs';
import { ADMIN, startService } from './lib/service.mjs';

const USAGE = `
npm run build && node bench/streams.mjs [--consoles 200] [--seconds 60] [--changes 50]

Opens the stream of an org (GET /api/orgs/{oid}/stream) as often as there are consoles, and prints the CPU that service
and mongod use while nothing happens, with and without them; then how long after a change all of them were told.
`;

helpOr(USAGE);
const consoles = Number(option('consoles', 200));
const idleSeconds = Number(option('seconds', 60));
const changes = Number(option('changes', 50));
const service = await startService();
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
try {
  const login = await fetch(`${service.url}/auth/jwt/login`, { method: 'POST', body: new URLSearchParams(ADMIN) });
  const headers = { Authorization: `Bearer ${(await login.json()).access_token}` };
  const { items } = await (await fetch(`${service.url}/orgs`, { headers })).json();
  const oid = items[0].id;
  await service.settled();
  const without = await idle();
  let told = [];
  const streams = [];
  for (let n = 0; n < consoles; n++) streams.push(await open(oid, headers, (text) => told[n]?.(text)));
  await service.settled();
  const withThem = await idle();
  print(`nothing happens: ${share(without)} of a core without consoles, ${share(withThem)} with ${consoles}`);

  const times = [];
  const before = service.cpu();
  for (let n = 0; n < changes; n++) {
    const name = `Changed ${n}`;
    const began = performance.now();
    const all = Promise.all(streams.map((_, one) => new Promise((done) => (told[one] = done))));
    await fetch(`${service.url}/orgs/${oid}/collections`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, crawlIds: [] }),
    });
    await all;
    times.push(performance.now() - began);
    told = [];
    await delay(300);
  }
  const each = (service.cpu() - before) / changes;
  print(`a change: told to all ${consoles} after ${ms(median(times))} (median), ${ms(ascending(times).at(-1))} (most)`);
  print(`a change: ${ms(each)} of CPU, of service and mongod`);
  for (const stream of streams) stream.destroy();
  print(load());
} finally {
  agent.destroy();
  await service.stop();
}

async function idle() {
  const before = service.cpu();
  await delay(idleSeconds * 1000);
  return (service.cpu() - before) / (idleSeconds * 1000);
}

function share(part) {
  return `${(part * 100).toFixed(1)} %`;
}

function open(oid, headers, onText) {
  return new Promise((resolve, reject) => {
    const request = http.get(
      `${service.url}/orgs/${oid}/stream`,
      { agent, headers: { ...headers, Accept: 'text/event-stream' } },
      (response) => {
        response.setEncoding('utf8');
        response.on('error', () => undefined);
        response.on('data', (text) => {
          if (text.includes('event: ready')) resolve(request);
          else if (text.startsWith('event: collection')) onText(text);
        });
      },
    );
    request.on('error', reject);
  });
}
