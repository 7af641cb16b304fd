import type { AuditEvent } from '../../../src/audit/data/audit-event.schema.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { entriesOf } from '../../support/audit-entries.js';
import { MortalApi, STEP_MS } from '../../support/mortal-api.js';
import type { TappedCommand } from '../../support/mongo-tap.js';

const is = (name: string, collection: string) => (command: TappedCommand) =>
  command.name === name && command.collection === collection;
/** Matches the commit of the transaction that settles an entry. */
function commitOfEntry() {
  let session: string | null = null;
  const idOf = ({ body }: TappedCommand): string => JSON.stringify(body['lsid']);
  return (command: TappedCommand): boolean => {
    if (session === null && is('update', 'audit_events')(command)) session = idOf(command);
    return command.name === 'commitTransaction' && session === idOf(command);
  };
}

describe('a service that is killed in the middle of a change', () => {
  let api: MortalApi;
  let oid: string;
  let account: string;
  let round = 0;

  beforeAll(async () => {
    api = await MortalApi.create();
    const admin = await api.admin();
    oid = (await admin.post('/orgs/create', { name: 'Killed' })).body.id as string;
    const made = await admin.post(`/orgs/${oid}/service-accounts`, { name: 'robot', role: 10 });
    account = `/orgs/${oid}/service-accounts/${made.body.id as string}`;
  }, STEP_MS);
  afterAll(() => api?.close(), STEP_MS);
  beforeEach(() => api.revive(), STEP_MS);

  const slug = async (): Promise<unknown> =>
    (await api.connection.collection('organizations').findOne({ _id: uuid(oid) as never }))?.['slug'] as unknown;
  const role = async (): Promise<unknown> =>
    (await api.connection.collection('service_accounts').findOne({}))?.['role'] as unknown;

  /** Kills it in the middle of a request. What is left `begun` is given up after ten minutes (`entries.spec.ts`). */
  async function killed(cut: Promise<void>, ask: (headers: object) => Promise<unknown>): Promise<AuditEvent[]> {
    const requestId = `killed-${String(++round)}`;
    await api.killAt(cut, ask({ headers: { 'x-request-id': requestId } }));
    return entriesOf(api.connection, { requestId });
  }

  it(
    'has changed nothing without an entry, and has an entry of nothing that did not change',
    async () => {
      const admin = await api.admin();
      const rename = (to: string) => (headers: object) =>
        admin.post(`/orgs/${oid}/rename`, { name: to, slug: to }, headers);
      const before = await slug();

      // Behind the entry, before the change.
      const begun = await killed(api.tap.cutBehind(is('insert', 'audit_events')), rename('one'));
      expect([begun.map(({ outcome }) => outcome), await slug()]).toEqual([['begun'], before]);

      // Within the transaction, behind both: neither is stored.
      await api.revive();
      const again = (await api.admin()).post.bind(await api.admin());
      const open = await killed(api.tap.cutBefore(commitOfEntry()), (headers) =>
        again(`/orgs/${oid}/rename`, { name: 'two', slug: 'two' }, headers),
      );
      expect([open.map(({ outcome }) => outcome), await slug()]).toEqual([['begun'], before]);

      // Behind the commit, before the answer: both are.
      await api.revive();
      const third = await api.admin();
      const committed = await killed(api.tap.cutBehind(commitOfEntry()), (headers) =>
        third.post(`/orgs/${oid}/rename`, { name: 'three', slug: 'three' }, headers),
      );
      expect([committed.map(({ outcome }) => outcome), await slug()]).toEqual([['done'], 'three']);
      expect(committed[0]?.changed).toEqual([{ field: 'slug', before, after: 'three' }]);
    },
    STEP_MS,
  );

  it(
    'leaves an entry that was begun for a change by a single write',
    async () => {
      const admin = await api.admin();
      const entries = await killed(api.tap.cutBehind(is('update', 'service_accounts')), (headers) =>
        admin.call('PATCH', account, { json: { role: 20 }, ...headers }),
      );
      expect([entries.map(({ outcome }) => outcome), await role()]).toEqual([['begun'], 20]);
    },
    STEP_MS,
  );
});
