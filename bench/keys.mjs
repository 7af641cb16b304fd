/** CPU of service and database for a request by an API key beside one by a session; see USAGE. */
import { helpOr, load, median, ms, option, print } from './lib/command.mjs';
import { ADMIN, reader, startService, timesOf, tokenOf } from './lib/service.mjs';

const USAGE = `
npm run build && node bench/keys.mjs [--calls 300] [--rounds 12]

Asks for an account and for a list of an org, by a session, by a key of the org, and by a key of a service account, in
turn: --calls times each in every round, after a round that is not counted. The figure is the median of the rounds, and
how a key's round stands to the session's of the same round, so that the machine's other work meets both alike.
`;
helpOr(USAGE);
const calls = Number(option('calls', 300));
const rounds = Number(option('rounds', 12));
const service = await startService({ API_KEY_REQUESTS_PER_MINUTE: '0' });
try {
  const admin = await tokenOf(service.url, ADMIN);
  const read = reader(service.url, admin);
  const oid = (await read('/orgs')).items[0].id;
  const post = async (path, body) => {
    const headers = { ...admin, 'content-type': 'application/json' };
    const response = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
    return response.json();
  };
  // Neither is a superuser's, whose session reads other lists.
  const email = 'member@example.com';
  await post(`/orgs/${oid}/add-user`, { email, password: 'correct horse', name: 'Member', role: 40 });
  const session = await tokenOf(service.url, { username: email, password: 'correct horse' });
  const scopes = ['items:read', 'org:read'];
  const asMember = async (path, body) => {
    const headers = { ...session, 'content-type': 'application/json' };
    return (await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const { key } = await asMember(`/orgs/${oid}/api-keys`, { name: 'bench', scopes });
  const { id } = await asMember(`/orgs/${oid}/service-accounts`, { name: 'bench', role: 40 });
  const robot = await asMember(`/orgs/${oid}/service-accounts/${id}/api-keys`, { name: 'bench', scopes });
  const callers = [
    ['session', session],
    ['key', { Authorization: `Bearer ${key}` }],
    ['key of a service account', { Authorization: `Bearer ${robot.key}` }],
  ].map(([name, headers]) => [name, reader(service.url, headers)]);
  for (const path of ['/users/me', `/orgs/${oid}/all-crawls?pageSize=10`]) {
    const figures = callers.map(() => []);
    for (let round = 0; round <= rounds; round++)
      for (const [n, [, ask]] of callers.entries()) {
        const before = service.fineCpu();
        await timesOf(() => ask(path), calls, 0);
        const after = service.fineCpu();
        const own = (after.service - before.service) / calls;
        const mongod = (after.mongod - before.mongod) / calls;
        if (round > 0) figures[n].push({ own, mongod, both: own + mongod });
      }
    for (const [n, [name]] of callers.entries()) {
      const of = (what) => median(figures[n].map((one) => one[what]));
      const ratio = median(figures[n].map(({ both }, round) => both / figures[0][round].both));
      print(
        `${path.replace(oid, '…')} by a ${name}: CPU ${ms(of('both'))} (service ${ms(of('own'))}, mongod ${ms(of('mongod'))}), ` +
          `${(100 * ratio).toFixed(0)} % of the session's`,
      );
    }
  }
  print(load());
} finally {
  await service.stop();
}
