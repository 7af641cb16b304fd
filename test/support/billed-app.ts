import type { ApiClient } from './api-client.js';
import { startBillingStub, type BillingStub } from './billing-stub.js';
import { aMember, anEmail } from './people.js';
import { startApp, type AppUnderTest } from './start-app.js';

export const BILLING_SECRET = 'shared-secret-of-tests';

let made = 0;

/** The body of a call that makes or changes a subscription. */
export const aPlan = (fields: Record<string, unknown> = {}) => ({
  subId: `sub-${String(++made)}`,
  status: 'active',
  planId: 'basic',
  ...fields,
});

/** An app that takes subscriptions, beside an external billing service. */
export class BilledApp {
  private constructor(
    readonly under: AppUnderTest,
    readonly stub: BillingStub,
    readonly admin: ApiClient,
  ) {}

  static async start(): Promise<BilledApp> {
    const stub = await startBillingStub();
    const under = await startApp({
      env: {
        BILLING_ENABLED: 'true',
        BTRIX_SUBS_APP_URL: `${stub.url}/`,
        BTRIX_SUBS_APP_API_KEY: BILLING_SECRET,
        APP_ORIGIN: 'https://app.example.org',
        USER_SURVEY_URL: 'https://survey.example.org/',
      },
    });
    return new BilledApp(under, stub, await under.admin());
  }

  async close(): Promise<void> {
    await this.under.close();
    await this.stub.close();
  }

  async orgOf(oid: string): Promise<any> {
    return (await this.admin.get(`/orgs/${oid}`)).body;
  }

  async subscribed(fields: Record<string, unknown> = {}) {
    const body = aPlan({ firstAdminInviteEmail: anEmail(), ...fields });
    const created = await this.admin.post('/subscriptions/create', body);
    return { ...body, oid: created.body.id as string, token: created.body.token as string };
  }

  async withOwner() {
    const sub = await this.subscribed();
    return { ...sub, owner: await aMember(this.under, sub.oid, 40) };
  }
}
