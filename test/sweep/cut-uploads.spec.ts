import { request } from 'node:http';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { expectInvariants } from '../support/invariants.js';
import { Random } from '../support/random.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';
import { sayFigures, SWEEP_SEED, sweepSize } from '../support/sweep-size.js';
import { Storages } from '../../src/storage/storages.js';

const UPLOADS = sweepSize(40, 1_000);
const AT_ONCE = 4;
const BYTES = Buffer.alloc(3_000_000, 5);
const BOUNDARY = 'b0undary';
const PART = 'Content-Disposition: form-data; name="uploads"; filename="a.wacz"\r\n\r\n';
const TUS = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
const WAYS = ['stream', 'chunked', 'form', 'tus'] as const;

describe('uploads whose client goes away at a random place', () => {
  let under: AppUnderTest;
  let api: ApiClient;
  let oid: string;

  beforeAll(async () => {
    under = await startApp();
    [api, oid] = [await under.admin(), await under.defaultOrgId()];
  });
  afterAll(() => under?.close());

  /** Begins a request, sends `bytes` of its body and breaks the connection. */
  async function cut(
    method: string,
    path: string,
    headers: Record<string, string | number>,
    bytes: Buffer,
  ): Promise<void> {
    const url = new URL(`${under.baseUrl}/api/orgs/${oid}/uploads/${path}`);
    const client = request(url, { method, headers: { authorization: `Bearer ${String(api.token)}`, ...headers } });
    const over = new Promise<void>((resolve) => client.once('close', () => resolve()).once('error', () => resolve()));
    await new Promise<void>((resolve) => client.write(bytes, () => resolve()));
    client.destroy();
    await over;
  }

  /** @returns the upload that is left to be gone on with, of a resumable one */
  async function cutOne(way: (typeof WAYS)[number], sent: Buffer): Promise<string | null> {
    const length = { 'content-length': BYTES.length };
    if (way === 'stream') await cut('PUT', 'stream?filename=a.wacz', length, sent);
    else if (way === 'chunked') await cut('PUT', 'stream?filename=a.wacz', {}, sent);
    else if (way === 'form') {
      const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      const head = Buffer.from(`--${BOUNDARY}\r\n${PART}`);
      await cut(
        'PUT',
        'formdata',
        { ...type, 'content-length': head.length + BYTES.length },
        Buffer.concat([head, sent]),
      );
    } else {
      const about = { 'upload-length': String(BYTES.length), 'upload-metadata': `filename ${btoa('a.wacz')}` };
      const begun = await api.fetch('POST', `/orgs/${oid}/uploads/tus`, { headers: { ...TUS, ...about } });
      const id = begun.headers.get('location')?.split('/').at(-1) ?? '';
      await cut('PATCH', `tus/${id}`, { ...TUS, 'upload-offset': 0, ...length }, sent);
      return id;
    }
    return null;
  }

  const keys = async () => {
    const store = under.app.get(Storages, { strict: false }).resolveDefault({ name: 'default', custom: false });
    return (await store.list('')).objects.map(({ key }) => key);
  };

  it(`leave nothing, or what can be gone on with and be given up: ${String(UPLOADS)} of them`, async () => {
    let next = 0;
    const resumable: string[] = [];
    const caller = async () => {
      while (next < UPLOADS) {
        const random = new Random(SWEEP_SEED, next++);
        const id = await cutOne(random.pick(WAYS), BYTES.subarray(0, 1 + random.below(BYTES.length - 1)));
        if (id !== null) resumable.push(id);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
    for (const id of resumable) {
      // The connection that broke may hold the upload for a moment.
      await eventually(async () => {
        const { status } = await api.fetch('DELETE', `/orgs/${oid}/uploads/tus/${id}`, { headers: TUS });
        expect([204, 404]).toContain(status);
      });
    }
    await eventually(async () => {
      await expectInvariants(under);
      expect(await keys()).toEqual([]);
      expect(await under.connection.collection('file_deletions').countDocuments()).toBe(0);
    });
    expect(await under.connection.collection('crawls').countDocuments()).toBe(0);
    expect((await api.get(`/orgs/${oid}`)).body.bytesStored).toBe(0);
    sayFigures(`${String(UPLOADS)} uploads cut off, ${String(resumable.length)} of them resumable, nothing left`);
  }, 3_600_000);
});
