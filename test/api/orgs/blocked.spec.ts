import { anItem } from '../../support/archive.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { workflowsOf, type Workflows } from '../workflows/support.js';

let under: AppUnderTest;
let w: Workflows;
let cid: string;
beforeAll(async () => {
  under = await startApp({ env: { CRAWL_QUEUE_LIMIT_SCALE: '2' } });
  w = await workflowsOf(under);
  cid = await w.create();
});
afterAll(() => under.close());

const run = async () => {
  const { status, body } = await w.admin.post(`${w.base}/${cid}/run`);
  return [status, body.detail];
};
const org = async () => (await w.admin.get(`/orgs/${w.oid}`)).body;

describe('an org that may not crawl', () => {
  it('is told the first reason: read-only, then storage, then minutes', async () => {
    const month = new Date(under.clock.nowMs()).toISOString().slice(0, 7);
    await w.setOrg({
      readOnly: true,
      bytesStored: 5,
      'quotas.storageQuota': 5,
      'quotas.maxExecMinutesPerMonth': 1,
      monthlyExecSeconds: { [month]: 60 },
    });
    expect(await org()).toMatchObject({ storageQuotaReached: true, execMinutesQuotaReached: true });
    expect(await run()).toEqual([403, 'org_set_to_read_only']);
    await w.setOrg({ readOnly: false });
    expect(await run()).toEqual([403, 'storage_quota_reached']);
    await w.setOrg({ 'quotas.storageQuota': 6 });
    expect(await run()).toEqual([403, 'exec_minutes_quota_reached']);
    await w.setOrg({ 'quotas.maxExecMinutesPerMonth': 0 });
    expect(await org()).toMatchObject({ storageQuotaReached: false, execMinutesQuotaReached: false });
  });

  it('for the crawls that wait already is told to slow down', async () => {
    await w.setOrg({ 'quotas.maxConcurrentCrawls': 1 });
    const waiting = { state: 'waiting_org_limit', finished: null } as const;
    for (let n = 0; n < 2; n++) await anItem(under, w.oid, waiting);
    expect(await run()).toEqual([429, 'slow_down_too_many_crawls_queued']);
    // Without the org's limit, waiting crawls do not count.
    await w.setOrg({ 'quotas.maxConcurrentCrawls': 0 });
    expect((await run())[0]).toBe(200);
  });
});
