import { WaczSigner } from '../../../src/signing/wacz-signer.js';
import { isSignedByKey } from '../../../src/wacz/signature.js';
import { anItem, settled } from '../../support/archive.js';
import { twoOrgs, type TwoOrgs } from '../../support/people.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { signedPackage } from '../../support/signed-package.js';

const HASH = `sha256:${'cd'.repeat(32)}`;

interface Published {
  id: string;
  publicKey: string;
  retired: string | null;
  org: { id: string; name: string } | null;
}

describe('the signing key of an org', () => {
  let on: AppUnderTest;
  let people: TwoOrgs;
  let oid: string;
  let path: string;

  beforeAll(async () => {
    on = await startApp();
    people = await twoOrgs(on);
    ({ oid } = people);
    path = `/orgs/${oid}/signing-key`;
  });
  afterAll(() => on?.close());

  const sign = (of?: string) => on.app.get(WaczSigner, { strict: false }).sign(HASH, undefined, of);
  const published = async (): Promise<Published[]> =>
    ((await (await fetch(`${on.baseUrl}/.well-known/muniment-keys.json`)).json()) as { keys: Published[] }).keys;
  const renewed = async (): Promise<Published> => {
    const { status, body } = await (await on.admin()).post(path);
    expect(status).toBe(200);
    return body.current as Published;
  };

  it("is the installation's until an owner makes one", async () => {
    expect((await people.viewer.api.get(path)).body).toEqual({ current: null, keys: [] });
    for (const { api } of [people.viewer, people.crawler]) expect((await api.post(path)).status).toBe(403);
    expect((await people.stranger.api.post(path)).status).toBe(404);
    expect((await on.api.post(path)).status).toBe(401);
    const none = await (await on.admin()).delete(path);
    expect([none.status, none.body.detail]).toEqual([404, 'no_own_signing_key']);
    const [own, others] = [await sign(oid), await sign()];
    expect(own.publicKey).toBe(others.publicKey);
  });

  it('signs for that org alone, and is published with its name', async () => {
    const key = await renewed();
    const signed = await sign(oid);
    expect(signed.publicKey).toBe(key.publicKey);
    expect(isSignedByKey(key.publicKey, HASH, signed.signature)).toBe(true);
    expect((await sign(people.otherOid)).publicKey).not.toBe(key.publicKey);
    expect((await sign()).publicKey).not.toBe(key.publicKey);
    const { name } = (await people.viewer.api.get(`/orgs/${oid}`)).body as { name: string };
    expect((await published()).find(({ id }) => id === key.id)).toMatchObject({
      retired: null,
      org: { id: oid, name },
    });
    expect((await published()).filter(({ org }) => org === null)).toHaveLength(1);
    const stored = await on.connection.collection('signing_keys').findOne({ publicKey: key.publicKey });
    expect(JSON.stringify(await published())).not.toContain(stored?.['sealed'] as string);
  });

  it('is named by the custody of what it signed, also when it was replaced and the org has another name', async () => {
    const before = await renewed();
    const { name } = (await people.viewer.api.get(`/orgs/${oid}`)).body as { name: string };
    const itemId = await anItem(on, oid, { contents: { 'own.wacz': await signedPackage(on, oid) } });
    const after = await renewed();
    expect(after.publicKey).not.toBe(before.publicKey);
    expect((await (await on.admin()).post(`/orgs/${oid}/rename`, { name: 'Renamed', slug: 'renamed' })).status).toBe(
      200,
    );
    const custody = `/orgs/${oid}/all-crawls/${itemId}/custody`;
    expect((await people.viewer.api.get(custody)).body.files[0].signature).toMatchObject({
      ...{ by: 'this service', place: 'package', valid: true, keyId: before.id, org: name },
    });
    const page = await (await people.viewer.api.fetch('GET', custody, { query: { format: 'html' } })).text();
    expect(page).toContain(`this service, with the key of ${name}`);
    expect(await on.connection.collection('signing_keys').findOne({ publicKey: before.publicKey })).toMatchObject({
      sealed: null,
      retired: expect.any(Date),
    });
  });

  it('is one, whichever processes make it at once', async () => {
    const other = await startApp({ like: on });
    const admins = [await on.admin(), await other.admin(), await on.admin()];
    expect((await Promise.all(admins.map((api) => api.post(path)))).map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
    await other.stop();
    const { current, keys } = (await people.viewer.api.get(path)).body as { current: Published; keys: Published[] };
    expect(keys.filter(({ retired }) => retired === null)).toEqual([current]);
    expect((await sign(oid)).publicKey).toBe(current.publicKey);
  });

  it("is given up for the installation's, and with the org, but stays published", async () => {
    expect((await (await on.admin()).delete(path)).body).toEqual({ deleted: true });
    expect((await people.viewer.api.get(path)).body.current).toBeNull();
    expect((await sign(oid)).publicKey).toBe((await sign()).publicKey);
    const { id } = await renewed();
    expect((await (await on.admin()).delete(`/orgs/${oid}`)).status).toBe(200);
    await settled(on);
    const gone = (await published()).find((key) => key.id === id);
    expect(gone).toMatchObject({ retired: expect.any(String), org: { id: oid } });
    expect(
      await on.connection.collection('signing_keys').countDocuments({ oid: { $exists: true }, sealed: { $ne: null } }),
    ).toBe(0);
  });
});
