import type { ApiClient } from '../../support/api-client.js';
import { expectInvariants } from '../../support/invariants.js';
import { OneConnection } from '../../support/one-connection.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';

const TYPE = 'multipart/form-data; boundary=b0undary';
const DISPOSITION = 'Content-Disposition: form-data; name="uploads"; filename="a.wacz"';
const END = '--b0undary--\r\n';
const part = (head: string, content: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`--b0undary\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
const form = (...pieces: (string | Buffer)[]): Buffer => Buffer.concat(pieces.map((piece) => Buffer.from(piece)));

describe('forms that are refused', () => {
  let app: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let connection: OneConnection;

  beforeAll(async () => {
    app = await startApp();
    api = await app.admin();
    oid = await app.defaultOrgId();
  });
  afterAll(() => app.close());
  beforeEach(() => {
    connection = new OneConnection(app.baseUrl, api);
  });
  afterEach(async () => {
    connection.close();
    await expectInvariants(app);
    expect((await api.get(`/orgs/${oid}/uploads`)).body.total).toBe(0);
  });

  const upload = (bytes: Buffer, headers = {}) =>
    connection.send('PUT', `/orgs/${oid}/uploads/formdata`, { 'content-type': TYPE, ...headers }, bytes);
  const expectGoesOn = async () =>
    expect(await connection.send('GET', `/orgs/${oid}/uploads`)).toMatchObject({ status: 200 });

  const much = Buffer.alloc(3_000_000, 7);
  it.each([
    ['are no form', much],
    ['break off within a file', part(DISPOSITION, much)],
    ['break off behind a file', form(part(DISPOSITION, 'a'), part(DISPOSITION, 'b'))],
    ['have NUL in the name of a file', form(part(DISPOSITION.replace('a.wacz', 'a\0.wacz'), much), END)],
    ['have a part without a head', form('--b0undary\r\n\r\n', much, '\r\n', END)],
    ['have a broken part behind a file', form(part(DISPOSITION, much), part('Nothing', much), END)],
    ['have a head that does not end', part(`${DISPOSITION}; x="${'x'.repeat(200_000)}"`, much)],
    ['have more files than an item', form(...Array<Buffer>(1_001).fill(part(DISPOSITION, 'x')), END)],
  ])('keep nothing when they %s, nor the connection', async (_, bytes) => {
    const refused = await upload(bytes);
    expect([refused.status, refused.body]).toEqual([400, { detail: 'upload_failed' }]);
    await expectGoesOn();
  });

  it.each([
    ['that are empty', Buffer.alloc(0), {}],
    ['without a file', form(part('Content-Disposition: form-data; name="uploads"', 'text'), END), {}],
    ['with a file of another name', form(part(DISPOSITION.replace('uploads', 'file'), much), END), {}],
    ['of another type', much, { 'content-type': 'application/json' }],
    ['without a boundary', much, { 'content-type': 'multipart/form-data' }],
  ])('lack a file: %s', async (_, bytes, headers) => {
    const refused = await upload(bytes, headers);
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ type: 'missing', loc: ['body', 'uploads'] }] } });
    await expectGoesOn();
  });

  it('leave the connection when they are larger than the quota', async () => {
    await api.post(`/orgs/${oid}/quotas`, { storageQuota: 1_000_000 });
    try {
      const refused = await upload(form(part(DISPOSITION, much), part(DISPOSITION, much), END));
      expect([refused.status, refused.body]).toEqual([403, { detail: 'storage_quota_reached' }]);
      await expectGoesOn();
    } finally {
      await api.post(`/orgs/${oid}/quotas`, { storageQuota: 0 });
    }
  });
});
