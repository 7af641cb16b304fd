/**
 * Asks a canary of this network for every address of standard input, in each way that the product fetches what users
 * name, and prints what of it arrived. A program of its own, so that it can be run in a network of its own.
 * In: `{ urls: string[], hosts: string[] }`, with `{port}` for the canary's port. Out: `Row[]`, see ssrf.spec.ts.
 */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import 'reflect-metadata';
import { GuardProxy } from '../../dist/crawler/guard/guard-proxy.js';
import { DirectDialer } from '../../dist/crawler/guard/dialer.js';
import { AddressPolicy } from '../../dist/formats/address/address-policy.js';
import { GuardedClient } from '../../dist/src/common/http/guarded-client.js';
import { Names } from '../../dist/src/common/http/names.js';

/** No public host answers where the tests run; in a network of its own each answers at once. */
const TIMEOUT_MS = 1_500;

let hits = 0;
const canary = createServer((_request, response) => {
  hits++;
  response.setHeader('connection', 'close').end('reached');
});
await listening(canary, '::').catch(() => listening(canary, '0.0.0.0'));
const { port } = canary.address();

const { urls, hosts } = JSON.parse(await text(process.stdin));
const asks = [
  ...urls.map((url) => ({ spelled: url, way: 'client', ask: byClient(filled(url)) })),
  ...hosts.map((host) => ({ spelled: host, way: 'proxy GET', ask: byProxy(getOf(filled(`http://${host}:{port}/`))) })),
  ...hosts.map((host) => ({ spelled: host, way: 'proxy CONNECT', ask: byProxy(connectOf(`${host}:${port}`)) })),
];

const rows = asks.map(({ spelled, way }) => ({ spelled, way }));
for (const [name, policy] of [
  ['guarded', AddressPolicy.publicOnly],
  ['open', AddressPolicy.open],
]) {
  const client = new GuardedClient(new Names());
  const proxy = new GuardProxy(new DirectDialer(policy));
  const at = Number(new URL(await proxy.start()).port);
  for (const [i, { ask }] of asks.entries()) {
    hits = 0;
    await ask({ client, policy, at });
    rows[i][name] = hits;
  }
  await client.onApplicationShutdown();
  await proxy.close();
}
process.stdout.write(JSON.stringify(rows));
process.exit(0);

function filled(url) {
  return url.replaceAll('{port}', String(port));
}

function byClient(url) {
  return async ({ client, policy }) => {
    const request = { method: 'GET', url, timeoutMs: TIMEOUT_MS, keepBytes: 100, addresses: policy };
    await client.send(request).catch(() => undefined);
  };
}

function getOf(url) {
  return `GET ${url} HTTP/1.1\r\nHost: canary.example\r\nConnection: close\r\n\r\n`;
}

/** What follows the head goes through the tunnel, if there is one. */
function connectOf(authority) {
  const inside = 'GET / HTTP/1.1\r\nHost: canary.example\r\nConnection: close\r\n\r\n';
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n${inside}`;
}

function byProxy(message) {
  return ({ at }) =>
    new Promise((resolve) => {
      const socket = connect(at, '127.0.0.1', () => socket.write(message));
      socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
      socket
        .on('error', () => undefined)
        .on('close', resolve)
        .resume();
      socket.on('end', () => socket.end());
    });
}

function listening(server, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
}
