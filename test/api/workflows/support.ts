import type { ApiClient } from '../../support/api-client.js';
import type { AppUnderTest } from '../../support/start-app.js';

export const SEEDS = [{ url: 'https://example.com/' }];

export interface Workflows {
  readonly admin: ApiClient;
  readonly oid: string;
  /** `/orgs/<oid>/crawlconfigs` */
  readonly base: string;
  /** Creates a workflow. @returns its id */
  create(fields?: object, config?: object): Promise<string>;
  get(cid: string): Promise<any>;
  /** Sets fields of the org that only superusers or billing can. */
  setOrg(fields: object): Promise<void>;
}

export async function workflowsOf(app: AppUnderTest): Promise<Workflows> {
  const admin = await app.admin();
  const oid = await app.defaultOrgId();
  const base = `/orgs/${oid}/crawlconfigs`;
  return {
    admin,
    oid,
    base,
    create: async (fields = {}, config = {}) => {
      const { status, body } = await admin.post(`${base}/`, {
        name: 'w',
        config: { seeds: SEEDS, ...config },
        ...fields,
      });
      if (status !== 200) throw new Error(`create answered ${String(status)} ${JSON.stringify(body)}`);
      return body.id as string;
    },
    get: async (cid) => (await admin.get(`${base}/${cid}`)).body,
    setOrg: async (fields) => {
      await app.connection.collection('organizations').updateOne({ default: true }, { $set: fields });
    },
  };
}
