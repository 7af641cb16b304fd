/**
 * `GET /users/me` of a user with 1,000 orgs, and a page of 100 of 10,000 orgs.
 * `npm run build && node bench/orgs.mjs [calls]`
 */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { helpOr, load, ms, print, quantile } from './lib/command.mjs';
import { ADMIN, startService, timesOf, tokenOf } from './lib/service.mjs';

helpOr(
  'node bench/orgs.mjs [calls]: GET /users/me of a member of 1,000 orgs and of a superuser, and GET /orgs with 100 of\n' +
    '10,000 orgs by several orders; p50 and p95 of calls one after another (default: 200 calls each)',
);
const CALLS = Number(process.argv[2] ?? 200);
const ORGS = 10_000;
const MEMBERSHIPS = 1000;
const MEMBERS = 5;

const { UUID } = mongoose.mongo;
const service = await startService();
try {
  const admin = await tokenOf(service.url, ADMIN);
  const post = (path, body) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { ...admin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((response) => response.json());
  const { id } = await post('/orgs/create', { name: 'The first' });
  const member = { username: 'member@example.com', password: 'correct horse' };
  await post(`/orgs/${id}/add-user`, { email: member.username, password: member.password, name: 'Member', role: 40 });
  const user = await service.db.collection('users').findOne({ email: member.username });
  const template = await service.db.collection('organizations').findOne({ name: 'The first' });
  const people = Array.from({ length: 200 }, (_, n) => ({
    id: new UUID(randomUUID()),
    email: `p${n}@example.com`,
    name: `P ${n}`,
    is_superuser: false,
    is_verified: true,
    hashed_password: user.hashed_password,
  }));
  await service.db.collection('users').insertMany(people);
  const orgs = Array.from({ length: ORGS - 2 }, (_, n) => {
    const members = Array.from({ length: MEMBERS }, (_member, m) => [
      people[(n * MEMBERS + m) % 200].id.toString(),
      20,
    ]);
    if (n < MEMBERSHIPS - 1) members.push([user.id.toString(), 40]);
    const name = `Org ${((n * 7919) % ORGS).toString().padStart(6, '0')} ${n}`;
    const names = { name, nameLower: name.toLowerCase(), slug: `org-${n}` };
    return { ...template, _id: new UUID(randomUUID()), ...names, users: Object.fromEntries(members) };
  });
  for (let at = 0; at < orgs.length; at += 1000)
    await service.db.collection('organizations').insertMany(orgs.slice(at, at + 1000));

  const figure = async (title, path, headers, check) => {
    const [began, warmUp] = [service.cpu(), 20];
    const times = await timesOf(
      async (n) => {
        const response = await fetch(`${service.url}${path.replace('{n}', String((n % 50) + 1))}`, { headers });
        const body = await response.json();
        if (!response.ok || !check(body)) throw new Error(`${path} answered ${response.status}`);
      },
      CALLS,
      warmUp,
    );
    const cpu = (service.cpu() - began) / (CALLS + warmUp);
    print(
      `${title}: best ${ms(times[0])}, p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}; ${ms(cpu)} of CPU a call`,
    );
  };
  const token = await tokenOf(service.url, member);
  const page = (body) => body.items.length === 100;
  await figure('GET /users/me, member of 1,000 orgs', '/users/me', token, (body) => body.orgs.length === MEMBERSHIPS);
  await figure('GET /users/me, superuser of 10,000', '/users/me', admin, (body) => body.orgs.length === 1000);
  await figure('GET /orgs, 100 of 10,000, by name', '/orgs?pageSize=100&page={n}', admin, page);
  await figure(
    'GET /orgs, 100 of 10,000, last finish',
    '/orgs?pageSize=100&page={n}&sortBy=lastCrawlFinished&sortDirection=-1',
    admin,
    page,
  );
  await figure('GET /orgs, 100 of a member’s 1,000', '/orgs?pageSize=100&page=3', token, page);
  print(load());
} finally {
  await service.stop();
}
