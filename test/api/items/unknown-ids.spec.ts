import type { ApiClient } from '../../support/api-client.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';

describe('ids that nothing has', () => {
  let app: AppUnderTest;
  let api: ApiClient;
  let org: string;

  beforeAll(async () => {
    app = await startApp();
    api = await app.admin();
    org = `/orgs/${await app.defaultOrgId()}`;
  });
  afterAll(() => app.close());

  describe.each([
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '12345678-1234-1234-1234-123456789012',
  ])('%s', (id) => {
    it.each([
      'collections/<id>',
      'collections/<id>/replay.json',
      'crawlconfigs/<id>',
      'profiles/<id>',
      'files/<id>',
      'uploads/upload-<id>',
      'all-crawls/upload-<id>/replay.json',
      'crawls/manual-20240101000000-<id>/pages/<id>',
    ])('GET %s is 404', async (route) => {
      expect((await api.get(`${org}/${route.replaceAll('<id>', id)}`)).status).toBe(404);
    });

    it('of an org is 404', async () => {
      expect((await api.get(`/orgs/${id}`)).status).toBe(404);
    });

    it.each(['uploads?userid=<id>', 'all-crawls?cid=<id>', 'all-crawls?collectionId=<id>', 'crawls?userid=<id>'])(
      'GET %s lists nothing',
      async (route) => {
        const answer = await api.get(`${org}/${route.replace('<id>', id)}`);
        expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ items: [], total: 0 })]);
      },
    );

    it('cannot be changed, deleted, or uploaded to', async () => {
      expect((await api.patch(`${org}/collections/${id}`, { name: 'x' })).status).toBe(404);
      expect((await api.delete(`${org}/collections/${id}`)).status).toBe(404);
      const query = { filename: 'a.wacz', collections: id };
      const answer = await api.put(`${org}/uploads/stream`, undefined, { query, raw: 'x' });
      expect([answer.status, answer.body]).toEqual([404, { detail: 'collection_not_found' }]);
    });
  });
});
