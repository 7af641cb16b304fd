import { AccountAdmin } from '../../../src/auth/account-admin.js';
import { AuditTrail } from '../../../src/audit/audit-trail.js';
import { UnitOfWork, type Tx } from '../../../src/database/unit-of-work.js';
import { hours, minutes } from '../../../src/common/units/durations.js';
import type { AuditEvent } from '../../../src/audit/data/audit-event.schema.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { JobWorker } from '../../../src/jobs/job-worker.js';
import type { ApiClient } from '../../support/api-client.js';
import { entriesOf } from '../../support/audit-entries.js';
import { aMember, anEmail, anOrg, PASSWORD, tokenMailedTo, type Member } from '../../support/people.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

let under: AppUnderTest;
let admin: ApiClient;
let oid: string;
let owner: Member;
let asked = 0;

beforeAll(async () => {
  under = await startApp({ env: { BTRIX_SUBS_APP_API_KEY: 'shared-secret-of-tests', REGISTRATION_ENABLED: '1' } });
  admin = await under.admin();
  oid = await anOrg(under);
  owner = await aMember(under, oid, 40);
});
afterAll(() => under?.close());

/** Makes a call and finds what it left in the log. */
async function left(
  by: ApiClient,
  method: string,
  path: string,
  json: unknown = {},
): Promise<{ status: number; body: any; entries: AuditEvent[] }> {
  const requestId = `entries-${String(++asked)}`;
  const answer = await by.call(method, path, { json, headers: { 'x-request-id': requestId } });
  return { ...answer, entries: await entriesOf(under.connection, { requestId }) };
}

const settingsOf = (entry: AuditEvent | undefined): Record<string, unknown[]> =>
  Object.fromEntries((entry?.changed ?? []).map(({ field, before, after }) => [field, [before, after]]));

describe('an entry', () => {
  it('says who did what, on what, from where, when and how it went', async () => {
    const { body } = await owner.api.post(`/orgs/${oid}/collections`, { name: 'Told' });
    const { entries } = await left(owner.api, 'PATCH', `/orgs/${oid}/collections/${body.id as string}`, {
      description: 'some words',
      madeUp: 1,
    });
    expect(entries).toEqual([
      {
        _id: expect.anything(),
        oid,
        at: under.clock.now(),
        actorKind: 'user',
        actor: owner.id,
        key: null,
        action: 'updateCollection',
        targetKind: 'collection',
        target: body.id,
        fields: ['description'],
        address: '127.0.0.1',
        requestId: expect.stringMatching(/^entries-/),
        outcome: 'done',
        status: 200,
        marks: [`u:${owner.id}`, 'a:updateCollection', `t:${body.id as string}`],
      },
    ]);
  });

  it('tells by which key, by which service account, or that it was the shared secret', async () => {
    const key = await owner.api.post(`/orgs/${oid}/api-keys`, { name: 'k', scopes: ['collections:write'] });
    const byKey = await left(under.api.as(key.body.key), 'POST', `/orgs/${oid}/collections`, { name: 'By key' });
    expect(byKey.entries[0]).toMatchObject({ actorKind: 'user', actor: owner.id, key: key.body.id, outcome: 'done' });
    const account = await owner.api.post(`/orgs/${oid}/service-accounts`, { name: 'robot', role: 20 });
    const keys = `/orgs/${oid}/service-accounts/${account.body.id as string}/api-keys`;
    const robot = await owner.api.post(keys, { name: 'k', scopes: ['collections:write'] });
    const byRobot = await left(under.api.as(robot.body.key), 'POST', `/orgs/${oid}/collections`, { name: 'By robot' });
    expect(byRobot.entries[0]).toMatchObject({ actorKind: 'service', actor: account.body.id, key: robot.body.id });
    const secret = under.api.as('shared-secret-of-tests');
    const bySecret = await left(secret, 'POST', '/orgs/create', { name: 'By the secret' });
    expect(bySecret.entries).toMatchObject([
      { actorKind: 'secret', actor: null, key: null, oid: bySecret.body.id, outcome: 'done' },
    ]);
  });

  it('names what a request made', async () => {
    const made = await left(owner.api, 'POST', `/orgs/${oid}/collections`, { name: 'Made' });
    expect(made.entries).toMatchObject([{ target: made.body.id, outcome: 'done', action: 'createCollection' }]);
  });

  it('says that it was refused, or failed, with the status', async () => {
    const path = `/orgs/${oid}/collections/2b0f54f6-0c8a-4a77-8f0f-b0b3cc05e111`;
    const refused = await left(owner.api, 'PATCH', path, { name: 'Nobody' });
    expect([refused.status, refused.entries[0]?.outcome, refused.entries[0]?.status]).toEqual([404, 'refused', 404]);
    const invalid = await left(owner.api, 'POST', `/orgs/${oid}/collections`, { name: 3 });
    expect(invalid.entries).toMatchObject([{ outcome: 'refused', status: 422, fields: ['name'] }]);
  });

  it('has a request id of its own where the client gives none, or none that is good', async () => {
    for (const given of [undefined, 'short', 'with spaces in it', 'x'.repeat(65)]) {
      const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given };
      const answer = await under.api.fetch('GET', '/settings', { headers });
      expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
      await answer.text();
    }
  });
});

describe('settings', () => {
  it.each([
    ['rename', { name: 'Renamed in words', slug: 'renamed-slug' }, { slug: [expect.any(String), 'renamed-slug'] }],
    ['read-only', { readOnly: true, readOnlyReason: 'words of a reason' }, { readOnly: [false, true] }],
    ['read-only', { readOnly: false }, { readOnly: [true, false] }],
    ['quotas', { maxPagesPerCrawl: 7 }, { 'quotas.maxPagesPerCrawl': [0, 7] }],
    ['feature-flags', { dedupeEnabled: true }, { 'featureFlags.dedupeEnabled': [expect.anything(), true] }],
    ['proxies', { allowSharedProxies: true, allowedProxies: [] }, { allowSharedProxies: [false, true] }],
    ['defaults/crawling', { crawlTimeout: 60, lang: 'de' }, { 'crawlingDefaults.lang': [null, 'de'] }],
    ['public-profile', { enablePublicProfile: true }, { enablePublicProfile: [false, true] }],
  ])('changed by %s are told as they were and as they are', async (path, body, changed) => {
    const { status, entries } = await left(admin, 'POST', `/orgs/${oid}/${path}`, body);
    expect(status).toBe(200);
    expect(entries).toMatchObject([{ outcome: 'done', status: 200, oid }]);
    expect(settingsOf(entries[0])).toMatchObject(changed);
    expect(JSON.stringify(entries)).not.toMatch(/in words|words of/);
  });

  it('of members are told with the member', async () => {
    const member = await aMember(under, oid, 10);
    const raised = await left(owner.api, 'PATCH', `/orgs/${oid}/user-role`, { email: member.email, role: 20 });
    expect(raised.entries).toMatchObject([{ outcome: 'done', targetKind: 'user', target: member.id }]);
    expect(settingsOf(raised.entries[0])).toEqual({ role: [10, 20] });
    const removed = await left(owner.api, 'POST', `/orgs/${oid}/remove`, { email: member.email });
    expect(settingsOf(removed.entries[0])).toEqual({ role: [20, null] });
    const again = await left(owner.api, 'POST', `/orgs/${oid}/remove`, { email: member.email });
    expect(again.entries).toMatchObject([{ outcome: 'refused', status: 404 }]);
    expect(again.entries[0]?.changed).toBeUndefined();
  });

  it('that a refused request did not change are not told', async () => {
    const other = await anOrg(under, { slug: 'taken-slug' });
    expect(other).not.toBe(oid);
    const { status, entries } = await left(admin, 'POST', `/orgs/${oid}/rename`, { name: 'Other', slug: 'taken-slug' });
    expect([status, entries[0]?.outcome]).toEqual([400, 'refused']);
    expect(entries[0]?.changed).toBeUndefined();
  });
});

describe('a change and its entry', () => {
  const begin = async (): Promise<string> => {
    const { insertedId } = await under.connection
      .collection('audit_events')
      .insertOne({ outcome: 'begun', heldUntil: new Date(0), at: under.clock.now(), marks: [] });
    return String(insertedId);
  };

  type Work = (tx: Tx) => Promise<unknown>;
  /** Puts something around all transactions, until what it returns is called. */
  function around(wrapped: (run: (work: Work) => Promise<unknown>, work: Work) => Promise<unknown>): () => void {
    const unitOfWork = under.app.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    unitOfWork.run = ((work: Work) => wrapped(run, work)) as typeof unitOfWork.run;
    return () => void (unitOfWork.run = run);
  }

  it('are stored together: within the transaction it is done, and not before', async () => {
    const seen: unknown[] = [];
    const restore = around(async (run, work) => {
      const filter = { action: 'renameOrg', oid: uuid(oid) };
      const last = () => under.connection.collection('audit_events').findOne(filter, { sort: { _id: -1 } });
      seen.push((await last())?.['outcome']);
      const result = await run(work);
      seen.push((await last())?.['outcome']);
      return result;
    });
    const { status } = await left(admin, 'POST', `/orgs/${oid}/rename`, { name: 'Together', slug: 'together' });
    restore();
    expect(status).toBe(200);
    expect(seen).toEqual(['begun', 'done']);
  });

  it('are neither there when the transaction is aborted: the entry says that it failed', async () => {
    const restore = around((run, work) =>
      run(async (tx) => {
        await work(tx);
        throw new Error('aborted by the test');
      }),
    );
    const { status, entries } = await left(admin, 'POST', `/orgs/${oid}/rename`, { name: 'Aborted', slug: 'aborted' });
    restore();
    expect(status).toBe(500);
    expect(entries).toMatchObject([{ outcome: 'failed', status: 500 }]);
    expect(entries[0]?.changed).toBeUndefined();
    expect((await admin.get(`/orgs/${oid}`)).body.slug).toBe('together');
  });

  it('stay done where the answer fails after the change, and the status says that it did', async () => {
    const restore = around(async (run, work) => {
      await run(work);
      throw new Error('after the commit, by the test');
    });
    const { entries } = await left(admin, 'POST', `/orgs/${oid}/rename`, { name: 'Stays', slug: 'stays' });
    restore();
    expect(entries).toMatchObject([{ outcome: 'done', status: 500 }]);
    expect((await admin.get(`/orgs/${oid}`)).body.slug).toBe('stays');
  });

  it('whose process has gone becomes unknown, once nobody holds it', async () => {
    const trail = under.app.get(AuditTrail);
    const id = await begin();
    const held = await under.connection
      .collection('audit_events')
      .insertOne({ outcome: 'begun', heldUntil: new Date(under.clock.nowMs() + minutes(5)), at: under.clock.now() });
    await trail.giveUpLeft();
    const [gone, going] = await Promise.all(
      [id, String(held.insertedId)].map(async (one) =>
        (await entriesOf(under.connection)).find(({ _id }) => String(_id) === one),
      ),
    );
    expect([gone?.outcome, gone?.heldUntil]).toEqual(['unknown', undefined]);
    expect(going?.outcome).toBe('begun');
    await under.connection.collection('audit_events').deleteOne({ _id: held.insertedId });
  });

  it('of an upload that takes hours is held, and done in the end', async () => {
    const trail = under.app.get(AuditTrail);
    let more!: (bytes: Uint8Array) => void;
    let end!: () => void;
    const raw = new ReadableStream<Uint8Array>({
      start: (stream) => {
        more = (bytes) => stream.enqueue(bytes);
        end = () => stream.close();
      },
    });
    const headers = { 'x-request-id': 'hours-long' };
    const sending = owner.api.fetch('PUT', `/orgs/${oid}/uploads/stream?filename=a.wacz`, { raw, headers });
    more(new Uint8Array(1000));
    const entry = async () => (await entriesOf(under.connection, { requestId: 'hours-long' }))[0];
    while (!(await entry())) await new Promise((done) => setImmediate(done));
    for (let n = 0; n < 4; n++) {
      under.clock.advance(minutes(9));
      await trail.hold();
      await trail.giveUpLeft();
      expect((await entry())?.outcome).toBe('begun');
    }
    end();
    const status = (await sending).status;
    expect((await entry())?.status).toBe(status);
    expect(['done', 'refused']).toContain((await entry())?.outcome);
    under.clock.advance(hours(1));
  });
});

describe('what strangers do', () => {
  const since = async (call: () => Promise<unknown>): Promise<AuditEvent[]> => {
    const before = (await entriesOf(under.connection)).length;
    await call();
    return (await entriesOf(under.connection)).slice(before);
  };
  const logIn = (username: string, password: string) =>
    under.api.call('POST', '/auth/jwt/login', { form: { username, password } });

  it('is in the log when it lets them in or out, and not when they fail', async () => {
    const member = await aMember(under, oid, 10);
    const [entry, ...more] = await since(() => logIn(member.email, PASSWORD));
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      action: 'account.loggedIn',
      actorKind: 'user',
      actor: member.id,
      address: '127.0.0.1',
    });
    expect(await since(() => logIn(member.email, 'wrong'))).toEqual([]);
    expect(await since(() => logIn('nobody@example.com', 'wrong'))).toEqual([]);
    expect(await since(() => member.api.post('/auth/jwt/logout'))).toMatchObject([
      { action: 'account.loggedOut', actor: member.id, targetKind: 'session', outcome: 'done' },
    ]);
  });

  it('is in the log when an account is locked, registered or gets another password', async () => {
    const email = anEmail('newcomer');
    const registered = await since(() => under.api.post('/auth/register', { email, password: PASSWORD, name: 'New' }));
    expect(registered).toMatchObject([{ action: 'account.registered', actorKind: 'user', targetKind: 'user' }]);
    for (let n = 0; n < 5; n++) await logIn(email, 'wrong');
    const locked = await since(() => logIn(email, 'wrong'));
    expect(locked).toMatchObject([
      { action: 'account.lockedOut', actorKind: 'nobody', actor: null, target: registered[0]?.target },
    ]);
    await under.api.post('/auth/forgot-password', { email });
    const token = await tokenMailedTo(under, email);
    const reset = await since(() => under.api.post('/auth/reset-password', { token, password: 'another horse' }));
    expect(reset).toMatchObject([{ action: 'account.passwordReset', actor: registered[0]?.target }]);
  });

  it('is nothing of the log while it is refused', async () => {
    const refused = await since(async () => {
      await under.api.post(`/orgs/${oid}/collections`, { name: 'Nobody' });
      await under.api.as('not.a.token').delete(`/orgs/${oid}`);
    });
    expect(refused).toEqual([]);
  });
});

describe('what nobody asks for over HTTP', () => {
  it('is told as what the service does itself: the entries of an org outlive it', async () => {
    const place = await anOrg(under);
    expect((await left(admin, 'DELETE', `/orgs/${place}`)).entries).toMatchObject([{ outcome: 'done', oid: place }]);
    await under.app.get(JobWorker, { strict: false }).drain();
    const entries = await entriesOf(under.connection, { oid: uuid(place) });
    expect(entries.map(({ action, actorKind }) => [action, actorKind])).toEqual([
      ['createOrg', 'user'],
      ['deleteOrg', 'user'],
      ['system.orgDeleted', 'system'],
    ]);
  });

  it('is told as the command line’s where an administrator is at it', async () => {
    under.app.get(AuditTrail).actAsCommandLine();
    const account = { email: anEmail(), name: null, password: null, orgSlug: null, role: 20, isSuperuser: false };
    await under.app.get(AccountAdmin, { strict: false }).create(account);
    expect(await entriesOf(under.connection, { action: 'cli.accountCreated' })).toMatchObject([
      { actorKind: 'cli', actor: null, address: null, targetKind: 'user', outcome: 'done' },
    ]);
  });
});

describe('the log', () => {
  it('has no secret, address, name or other words of people in it', async () => {
    const words = ['hunter2-secret', 'somebody@secret.example', 'Private Words', 'Secret-Slug-Name', ADMIN.password];
    const [secret, email, text] = words as [string, string, string];
    const place = await anOrg(under);
    const calls: [string, string, unknown][] = [
      ['POST', `/orgs/${place}/rename`, { name: text }],
      ['POST', `/orgs/${place}/read-only`, { readOnly: true, readOnlyReason: text }],
      ['PATCH', `/orgs/${place}/note`, { note: text }],
      ['POST', `/orgs/${place}/invite`, { email, role: 20 }],
      ['POST', `/orgs/${place}/invites/delete`, { email }],
      ['POST', `/orgs/${place}/add-user`, { email, password: secret, name: text, role: 20 }],
      ['PATCH', `/orgs/${place}/user-role`, { email, role: 40 }],
      ['POST', `/orgs/${place}/collections`, { name: text, description: text, [secret]: 1, [email]: secret }],
      ['PATCH', `/orgs/${place}/collections/${encodeURIComponent(email)}`, { name: text }],
      ['DELETE', `/orgs/${place}/collections/${secret}`, {}],
      ['POST', `/orgs/${place}/event-webhook-urls`, { crawlStarted: `https://user:${secret}@hook.example/` }],
      ['POST', `/orgs/${place}/public-profile`, { publicDescription: text, publicUrl: `https://x.example/${secret}` }],
      ['POST', `/orgs/${place}/defaults/crawling`, { userAgent: text, exclude: [secret] }],
      ['POST', `/orgs/invite-accept/${secret}`, {}],
      ['PUT', '/users/me/password-change', { email, password: secret, newPassword: secret }],
      ['PATCH', '/users/me', { name: text }],
      ['POST', `/orgs/${place}/api-keys`, { name: text, scopes: ['items:read'] }],
      [
        'POST',
        `/orgs/${place}/crawlconfigs/`,
        { name: text, config: { seeds: [{ url: `https://a.example/${secret}` }] } },
      ],
    ];
    for (const [method, path, json] of calls) {
      const headers = {
        'x-request-id': `${secret} ${email}`,
        'user-agent': text,
        referer: `https://${secret}.example/`,
      };
      await (await admin.fetch(method, path, { json, headers })).text();
    }
    const stored = JSON.stringify(await under.connection.collection('audit_events').find({}).toArray());
    expect(stored.length).toBeGreaterThan(5000);
    for (const word of words) expect(stored).not.toContain(word);
    expect(stored).not.toContain('@');
    await admin.patch('/users/me', { name: 'admin' });
  });
});
