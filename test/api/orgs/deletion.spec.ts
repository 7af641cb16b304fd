import { OwnsOrgData, type OrgDataOwner, type StoredBytes } from '../../../src/orgs/org-data.js';
import { OrgUsage } from '../../../src/orgs/org-usage.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
import type { ApiClient } from '../../support/api-client.js';
import { settled } from '../../support/archive.js';
import { aMember, anEmail, anOrg, sentMails } from '../../support/people.js';

/** An owner whose data is deleted after that of `collections`. Each test decides what it does. */
@OwnsOrgData('owner of the test', { after: 'collections' })
class TestOwner implements OrgDataOwner {
  static deletes: OrgDataOwner['deleteForOrg'] | null = null;
  static stored = new Map<string, StoredBytes>();

  async deleteForOrg(oid: string): Promise<void> {
    await TestOwner.deletes?.(oid);
  }

  bytesStored(oid: string): Promise<StoredBytes> {
    return Promise.resolve(TestOwner.stored.get(oid) ?? {});
  }
}

let under: AppUnderTest;
let admin: ApiClient;
beforeAll(async () => {
  under = await startApp({ overrides: [{ module: class {}, providers: [TestOwner] }] });
  admin = await under.admin();
});
afterEach(() => (TestOwner.deletes = null));
afterAll(() => under.close());

const failing = (answer: { status: number; body: { detail: unknown } }) => [answer.status, answer.body.detail];

/** Lets due jobs run to their end. The clock must not move while a job holds its lease. */
const settle = () => settled(under);
/** Returns whether the job succeeded, or null when it has not ended. */
const outcome = async (jobId: string): Promise<boolean | null> =>
  (await admin.get(`/orgs/all/jobs/${jobId}`)).body.success;

describe('deleting an org', () => {
  it('takes everything of it, and the accounts that are nowhere else', async () => {
    const [oid, other] = [await anOrg(under), await anOrg(under)];
    const [lonely, shared] = [await aMember(under, oid, 40), await aMember(under, oid, 10)];
    await admin
      .post(`/orgs/${other}/invite`, { email: shared.email, role: 10 })
      .then(({ body }) => shared.api.post(`/orgs/invite-accept/${body.token}`));
    const { token } = (await lonely.api.post(`/orgs/${oid}/invite`, { email: ADMIN.email, role: 10 })).body;
    await admin.post(`/orgs/invite-accept/${token}`);
    await lonely.api.post(`/orgs/${oid}/invite`, { email: anEmail(), role: 10 });
    expect(failing(await lonely.api.delete(`/orgs/${oid}`))).toEqual([403, 'Not Allowed']);

    const { body } = await admin.delete(`/orgs/${oid}`);
    expect(body).toEqual({ deleted: true, id: expect.stringMatching(new RegExp(`^delete-org-${oid}-[0-9a-f]{10}$`)) });
    await settle();
    expect(await outcome(body.id)).toBe(true);

    expect(failing(await admin.get(`/orgs/${oid}`))).toEqual([404, 'org_not_found']);
    expect((await lonely.api.get('/users/me')).status).toBe(401);
    expect((await shared.api.get('/users/me')).body.orgs).toMatchObject([{ id: other }]);
    expect((await admin.get('/users/me')).status).toBe(200);
    expect((await admin.get('/users/invites')).body.items.filter((i: { oid: string }) => i.oid === oid)).toEqual([]);
  });

  it('goes on after a crash between its steps', async () => {
    const oid = await anOrg(under);
    const calls: string[] = [];
    TestOwner.deletes = (of) => {
      calls.push(of);
      return calls.length === 1 ? Promise.reject(new Error('killed')) : Promise.resolve();
    };
    const { id } = (await admin.delete(`/orgs/${oid}`)).body;
    await settle();
    expect([await outcome(id), calls.length]).toEqual([null, 1]);
    under.clock.advance(5000);
    await settle();
    expect([await outcome(id), calls.length]).toEqual([true, 2]);
    expect((await admin.get(`/orgs/${oid}`)).status).toBe(404);
  });

  it('that fails for good keeps the org and mails the superuser', async () => {
    const oid = await anOrg(under);
    TestOwner.deletes = () => Promise.reject(new Error('store is gone'));
    const { id } = (await admin.delete(`/orgs/${oid}`)).body;
    for (let tries = 0; tries < 20 && (await outcome(id)) === null; tries += 1) {
      await settle();
      under.clock.advance(60_000);
    }
    expect(await outcome(id)).toBe(false);
    const mail = (await sentMails(under)).findLast(
      (text) => text.includes('Background_job_failed') || text.includes('Background job failed'),
    );
    expect(mail).toContain(`To: ${ADMIN.email}`);
    expect((await admin.get(`/orgs/${oid}`)).status).toBe(200);
  });
});

describe('recalculating storage', () => {
  it('sets the counters to what the owners have, and the total to their sum', async () => {
    const oid = (await admin.post('/orgs/create', { name: 'Recounted' })).body.id as string;
    await under.app.get(OrgUsage).addBytes(oid, 'crawl', 5_000_000_000);
    TestOwner.stored.set(oid, { upload: 7, dedupeIndex: 3_000_000_000 });
    const { body } = await admin.post(`/orgs/${oid}/recalculate-storage`);
    expect(body).toEqual({ success: true, id: expect.stringMatching(new RegExp(`^org-stats-${oid}-[0-9a-f]{10}$`)) });
    await settle();
    expect((await admin.get(`/orgs/${oid}`)).body).toMatchObject({
      bytesStored: 3_000_000_007,
      bytesStoredCrawls: 0,
      bytesStoredUploads: 7,
      bytesStoredDedupeIndexes: 3_000_000_000,
    });
    const { storageUsedByMonth } = (await admin.get(`/orgs/${oid}/metrics`)).body;
    expect(storageUsedByMonth).toEqual({ '2020-11': 3_000_000_007 });
  });
});
