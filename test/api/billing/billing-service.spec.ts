import { BILLING_SECRET as SECRET, BilledApp } from '../../support/billed-app.js';
import type { BillingStub } from '../../support/billing-stub.js';
import { aMember, anOrg } from '../../support/people.js';
import type { AppUnderTest } from '../../support/start-app.js';

const failing = (answer: { status: number; body: { detail: unknown } }) => [answer.status, answer.body.detail];

describe('the billing service', () => {
  let billed: BilledApp;
  let under: AppUnderTest;
  let stub: BillingStub;
  beforeAll(async () => {
    billed = await BilledApp.start();
    ({ under, stub } = billed);
  });
  afterAll(() => billed.close());

  const withOwner = () => billed.withOwner();
  const ok = (body: object) => ({ status: 200, body: JSON.stringify(body) });

  it('is asked for portal, price and checkout as it expects', async () => {
    const { oid, subId, owner } = await withOwner();
    const { slug } = await billed.orgOf(oid);
    const returnUrl = `https://app.example.org/orgs/${slug}/settings/billing`;
    stub.calls.length = 0;
    stub.answers = [
      ok({ portalUrl: 'https://pay/portal' }),
      ok({ value: 0.5, currency: 'usd' }),
      ok({ checkoutUrl: 'https://pay/x' }),
    ];
    expect((await owner.api.get(`/orgs/${oid}/billing-portal`)).body).toEqual({ portalUrl: 'https://pay/portal' });
    expect((await owner.api.get(`/orgs/${oid}/price/execution-minutes`)).body).toEqual({ value: 0.5, currency: 'usd' });
    expect((await owner.api.get(`/orgs/${oid}/checkout/execution-minutes`, { minutes: 60 })).body).toEqual({
      checkoutUrl: 'https://pay/x',
    });
    const authorization = `bearer ${SECRET}`;
    expect(stub.calls).toEqual([
      {
        method: 'POST',
        url: '/portalUrl',
        authorization,
        body: { returnUrl, subId, planId: 'basic', bytesStored: 0, execSeconds: 0 },
      },
      { method: 'GET', url: '/prices/additionalMinutes', authorization, body: null },
      {
        method: 'POST',
        url: '/checkout/additionalMinutes',
        authorization,
        body: { orgId: oid, subId, minutes: 60, return_url: returnUrl },
      },
    ]);
  });

  it.each([
    ['answers 500', [{ status: 500, body: 'oops' }]],
    ['answers garbage', [{ status: 200, body: '<html>' }]],
    ['answers something else', [{ status: 200, body: '{"other":1}' }]],
    ['answers a list', [{ status: 200, body: '[]' }]],
    ['answers too much', [{ status: 200, body: `{"x":"${'y'.repeat(100_000)}"}` }]],
    ['cuts the connection', ['reset' as const]],
  ])('that %s is no error but for a checkout', async (_, answers) => {
    const { oid, owner } = await withOwner();
    stub.answers = [...answers];
    expect((await owner.api.get(`/orgs/${oid}/billing-portal`)).body).toEqual({ portalUrl: '' });
    const price = await owner.api.get(`/orgs/${oid}/price/execution-minutes`);
    expect([price.status, price.body]).toEqual([200, null]);
    expect(failing(await owner.api.get(`/orgs/${oid}/checkout/execution-minutes`))).toEqual([
      500,
      'Error fetching checkout url',
    ]);
  });

  it('is asked a second time for what changes nothing, and once for a checkout', async () => {
    const { oid, owner } = await withOwner();
    stub.answers = ['reset', ok({ portalUrl: 'https://pay/again' })];
    expect((await owner.api.get(`/orgs/${oid}/billing-portal`)).body).toEqual({ portalUrl: 'https://pay/again' });
    stub.calls.length = 0;
    stub.answers = ['reset', ok({ checkoutUrl: 'https://pay/twice' })];
    expect((await owner.api.get(`/orgs/${oid}/checkout/execution-minutes`)).status).toBe(500);
    expect(stub.calls).toHaveLength(1);
  });

  it('that never answers is given up after ten seconds', async () => {
    const { oid, owner } = await withOwner();
    stub.answers = ['hang'];
    const started = performance.now();
    expect((await owner.api.get(`/orgs/${oid}/billing-portal`)).body).toEqual({ portalUrl: '' });
    expect(performance.now() - started).toBeGreaterThan(9000);
  });

  it('is for owners of orgs with a subscription', async () => {
    const oid = await anOrg(under);
    const [owner, crawler] = [await aMember(under, oid, 40), await aMember(under, oid, 20)];
    expect((await owner.api.get(`/orgs/${oid}/billing-portal`)).body).toEqual({ portalUrl: '' });
    for (const path of ['price', 'checkout'])
      expect(failing(await owner.api.get(`/orgs/${oid}/${path}/execution-minutes`))).toEqual([
        404,
        'Organization has no subscription',
      ]);
    expect((await crawler.api.get(`/orgs/${oid}/billing-portal`)).status).toBe(403);
    expect((await owner.api.get(`/orgs/${oid}/checkout/execution-minutes`, { minutes: 'x' })).status).toBe(422);
  });
});
