import { Agent } from 'node:http';
import { apiComponents, apiOperations, type ApiOperation } from '../support/api-operations.js';
import { curlLine, generatedCall, statusOf } from '../support/generated-calls.js';
import { Random } from '../support/random.js';
import { startBillingStub, type BillingStub } from '../support/billing-stub.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';
import { SweepStage } from '../support/sweep-stage.js';
import { sayFigures, SWEEP_SEED, sweepSize } from '../support/sweep-size.js';

const CALLS = sweepSize(1_500, 100_000);
/** The stage is made whole again after so many. */
const ROUND = 500;
/** The full sweep takes long: it says how far it is after so many. */
const SAID = 10_000;
const AT_ONCE = 6;
/** What every question to the billing service is answered with; without one, the contract's answer is 500. */
const BILLING = {
  portalUrl: 'https://billing.example/p',
  checkoutUrl: 'https://billing.example/c',
  value: 1,
  currency: 'eur',
};
/** More are no help to whoever reads them. */
const SHOWN = 40;

describe('calls that nobody would write', () => {
  let under: AppUnderTest;
  let stage: SweepStage;
  let billing: BillingStub;
  let operations: ApiOperation[];
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  beforeAll(async () => {
    billing = await startBillingStub();
    billing.answers = [{ status: 200, body: JSON.stringify(BILLING) }];
    const env = { BILLING_ENABLED: 'true', CUSTOM_STORAGES_ENABLED: 'true', BTRIX_SUBS_APP_URL: billing.url };
    under = await startApp({ env });
    stage = await SweepStage.of(under);
    // Whoever logs out has no calls left.
    operations = apiOperations(under.app).filter(({ path }) => path !== '/api/auth/jwt/logout');
  });
  afterAll(async () => {
    agent.destroy();
    await under?.close();
    await billing?.close();
  });

  /** One call of the sweep: its number and the seed say all of it but the ids. */
  async function failureOf(number: number): Promise<string | null> {
    const random = new Random(SWEEP_SEED, number);
    const components = apiComponents(under.app);
    const operation = random.pick(operations);
    const call = generatedCall(operation, { components, ids: stage.ids, doomedOid: stage.doomedOid }, random);
    const { admin, owner, viewer } = stage;
    const callers = [admin.token, admin.token, admin.token, owner.api.token, owner.api.token, viewer.api.token, null];
    const status = await statusOf(under.baseUrl, call, random.pick(callers), agent);
    const isRight = typeof status === 'number' && status < 500;
    if (isRight) return null;
    const failure = `call ${String(number)}: ${String(status)}\n${curlLine(under.baseUrl, call).slice(0, 4000)}`;
    sayFigures(failure);
    return failure;
  }

  it(`are all answered, and none with 500: ${String(CALLS)} of them`, async () => {
    sayFigures(`${String(CALLS)} calls begin`);
    const failures: string[] = [];
    for (let begun = 0; begun < CALLS; begun += ROUND) {
      let next = begun;
      const caller = async () => {
        while (next < Math.min(begun + ROUND, CALLS)) {
          const failure = await failureOf(next++);
          if (failure) failures.push(failure);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, caller));
      await stage.pass();
      await stage.refresh();
      const done = Math.min(begun + ROUND, CALLS);
      if (done % SAID === 0) sayFigures(`${String(done)} calls, ${String(failures.length)} failed so far`);
    }
    sayFigures(`${String(CALLS)} calls of ${String(operations.length)} operations, ${String(failures.length)} failed`);
    expect(failures.slice(0, SHOWN)).toEqual([]);
    expect((await stage.admin.get(`/orgs/${stage.oid}`)).status).toBe(200);
  }, 7_200_000);
});
