/** CPU of service and database for requests with their entries in the audit log, beside a build without it; see USAGE. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { helpOr, load, median, ms, option, print } from './lib/command.mjs';

const USAGE = `
npm run build && node bench/audit.mjs --beside FOLDER [--calls 300] [--rounds 12]

Changes a collection (a transaction of the service's), changes a service account (a single write), and reads an account
(no entry), in this build and in that of another checkout (with its node_modules and dist), in turn: --calls times each
in every round, after a round that is not counted. The figure is the median of the rounds, and the median of what this
build takes more than the other in the same round, so that the machine's other work meets both alike.
`;
helpOr(USAGE);
const calls = Number(option('calls', 300));
const rounds = Number(option('rounds', 12));
const beside = String(option('beside', ''));
if (beside === '') throw new Error('--beside names the checkout that is compared');

/** A build, started, with the requests to measure. */
async function started(root) {
  const lib = await import(pathToFileURL(path.resolve(root, 'bench/lib/service.mjs')).href);
  const service = await lib.startService({ API_KEY_REQUESTS_PER_MINUTE: '0' });
  const headers = await lib.tokenOf(service.url, lib.ADMIN);
  const ask = lib.reader(service.url, headers);
  const oid = (await ask('/orgs')).items[0].id;
  const made = async (what, body) => {
    const json = { ...headers, 'content-type': 'application/json' };
    const response = await fetch(`${service.url}/orgs/${oid}/${what}`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${what} was answered ${response.status}`);
    return (await response.json()).id;
  };
  const collection = `/orgs/${oid}/collections/${await made('collections', { name: 'bench' })}`;
  const account = `/orgs/${oid}/service-accounts/${await made('service-accounts', { name: 'bench', role: 10 })}`;
  const requests = [
    ['a change in a transaction', (n) => ask(collection, { caption: `Caption ${n}` })],
    ['a change by one write', (n) => ask(account, { role: n % 2 === 0 ? 10 : 20 })],
    ['a read', () => ask('/users/me')],
  ];
  return { service, requests, timesOf: lib.timesOf };
}

const builds = [await started(path.join(import.meta.dirname, '..')), await started(beside)];
try {
  for (const [n, [name]] of builds[0].requests.entries()) {
    const figures = builds.map(() => []);
    for (let round = 0; round <= rounds; round++)
      for (const [of, { service, requests, timesOf }] of builds.entries()) {
        const before = service.fineCpu();
        await timesOf(requests[n][1], calls, 0);
        const after = service.fineCpu();
        const own = (after.service - before.service) / calls;
        const mongod = (after.mongod - before.mongod) / calls;
        if (round > 0) figures[of].push({ own, mongod, both: own + mongod });
      }
    const of = (build, what) => median(figures[build].map((one) => one[what]));
    const more = (what) => ms(median(figures[0].map((one, round) => one[what] - figures[1][round][what])));
    const shown = (build) =>
      `CPU ${ms(of(build, 'both'))} (service ${ms(of(build, 'own'))}, mongod ${ms(of(build, 'mongod'))})`;
    print(`${name}: ${shown(0)}, without the log ${shown(1)}`);
    print(`  the log adds ${more('both')} (service ${more('own')}, mongod ${more('mongod')})`);
  }
  print(load());
} finally {
  for (const { service } of builds) await service.stop();
}
