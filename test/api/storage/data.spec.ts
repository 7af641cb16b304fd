import { PresignedFiles } from '../../../src/storage/presigned-files.js';
import { Storages } from '../../../src/storage/storages.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';

const ref = { name: 'default', custom: false };
const org = { _id: 'oid', storage: ref };

describe('/data/ of the running service', () => {
  let app: AppUnderTest;
  let url: string;

  beforeAll(async () => {
    app = await startApp();
    await app.app.get(Storages).primaryOf(org).put('oid/uploads/a b.wacz', Buffer.from('0123456789'));
    const file = { filename: 'oid/uploads/a b.wacz', storage: ref };
    url = app.app.get(PresignedFiles).absoluteUrl(org, file, app.baseUrl);
  });
  afterAll(() => app.close());

  it('serves what a presigned URL names', async () => {
    const response = await fetch(url, { headers: { Range: 'bytes=-3' } });
    expect([response.status, await response.text()]).toEqual([206, '789']);
    expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe('10');
    expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(204);
  });

  it('refuses a URL that is out of date', async () => {
    app.clock.advance(604_740_000);
    const response = await fetch(url);
    expect([response.status, await response.json()]).toEqual([403, { detail: 'signature_expired' }]);
  });

  it('refuses a URL without a signature', async () => {
    const response = await fetch(`${app.baseUrl}/data/oid/uploads/a%20b.wacz`);
    expect([response.status, await response.json()]).toEqual([403, { detail: 'invalid_signature' }]);
  });

  it('is ready when its store is', async () => {
    expect((await fetch(`${app.baseUrl}/readyz`)).status).toBe(200);
  });
});
