import sharp from 'sharp';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { AppConfig } from '../../../src/config/app-config.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, settled, somePages } from '../../support/archive.js';
import { aMember, anOrg } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { aToken } from '../../support/tokens.js';

let under: AppUnderTest;
let oid: string;
let orgSlug: string;
let admin: ApiClient;
let crawler: ApiClient;
let viewer: ApiClient;

beforeAll(async () => {
  under = await startApp();
  admin = await under.admin();
  oid = await anOrg(under);
  orgSlug = (await admin.get(`/orgs/${oid}`)).body.slug;
  crawler = (await aMember(under, oid, 20)).api;
  viewer = (await aMember(under, oid, 10)).api;
});
afterAll(() => under?.close());

const failing = ({ status, body }: { status: number; body: { detail: unknown } }) => [status, body.detail];
const at = (path = ''): string => `/orgs/${oid}/collections${path}`;
let serial = 0;
async function aCollection(fields: object = {}): Promise<{ id: string; slug: string }> {
  const { body } = await crawler.post(at(), { name: `Shown ${(serial += 1)}`, ...fields });
  return { id: body.id, slug: (await viewer.get(at(`/${body.id}`))).body.slug };
}

describe('replay.json of a collection', () => {
  it('holds every file of its items, the first pages and where to ask for more', async () => {
    const contents = { 'r1.wacz': Buffer.from('one'), 'r2.wacz': Buffer.from('twos') };
    const item = await anItem(under, oid, { contents });
    const [seed] = await somePages(under, oid, item, [{}, {}, {}]);
    const { id } = await aCollection({ crawlIds: [item] });
    await settled(under);
    const headers = { 'x-forwarded-proto': 'https', host: 'ignored.example' };
    const { body } = await viewer.call('GET', at(`/${id}/replay.json`), { headers });
    expect(body.resources.map((r: { name: string; size: number }) => [r.name, r.size])).toEqual([
      ['r1.wacz', 3],
      ['r2.wacz', 4],
    ]);
    expect(body.resources[0]).toMatchObject({ crawlId: item, numReplicas: 0, fromDependency: false });
    expect(body.initialPages).toHaveLength(3);
    expect(body.initialPages[0]).toMatchObject({ id: seed, isSeed: true });
    expect(body.pagesQueryUrl).toMatch(new RegExp(`^https://[^/]+/api/orgs/${oid}/collections/${id}/pages$`));
    expect(body.downloadUrl).toBeNull();
    const bytes = await fetch(new URL(body.resources[1].path, under.baseUrl));
    expect(await bytes.text()).toBe('twos');
  });

  it('is empty for an empty collection', async () => {
    const { id } = await aCollection();
    expect((await viewer.get(at(`/${id}/replay.json`))).body).toMatchObject({
      resources: [],
      initialPages: [],
      pagesQueryUrl: '',
    });
  });

  it('is 304 until something changes', async () => {
    const { id } = await aCollection();
    const first = await viewer.get(at(`/${id}/replay.json`));
    const etag = first.headers.get('etag') ?? '';
    const again = (known: string) =>
      viewer.fetch('GET', at(`/${id}/replay.json`), { headers: { 'if-none-match': known } });
    const unchanged = await again(etag);
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await again('"other"')).status).toBe(200);
    await crawler.post(at(`/${id}/add`), { crawlIds: [await anItem(under, oid)] });
    await settled(under);
    const changed = await again(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
  });

  it('is not 304 once a page that it holds was reviewed, nor for another review within the same second', async () => {
    const item = await anItem(under, oid);
    const [page] = await somePages(under, oid, item, [{}]);
    const { id } = await aCollection({ crawlIds: [item] });
    await settled(under);
    const replay = (known = '') =>
      viewer.fetch('GET', at(`/${id}/replay.json`), { headers: { 'if-none-match': known } });
    let known = (await replay()).headers.get('etag') ?? '';
    const review = async (approved: boolean | null) => {
      await crawler.patch(`/orgs/${oid}/crawls/${item}/pages/${page}`, { approved });
      const answer = await replay(known);
      known = answer.headers.get('etag') ?? '';
      expect(((await answer.json()) as { initialPages: object[] }).initialPages).toMatchObject([{ approved }]);
    };
    for (const approved of [true, false, null]) await review(approved);
    under.clock.advance(5_000);
    known = (await replay(known)).headers.get('etag') ?? '';
    expect((await replay(known)).status).toBe(304);
    await review(true);
    under.clock.advance(5_000);
  });

  it('is not 304 once an item gave way to one with the same figures, within the same second', async () => {
    const [one, other] = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const item = await anItem(under, oid, { contents: { [`${name}.wacz`]: Buffer.from('1') }, pageCount: 1 });
        await somePages(under, oid, item, [{ url: 'https://same.example/', title: name }]);
        return item;
      }),
    );
    const { id } = await aCollection({ crawlIds: [one] });
    await settled(under);
    const known = (await viewer.get(at(`/${id}/replay.json`))).headers.get('etag') ?? '';
    await crawler.post(at(`/${id}/remove`), { crawlIds: [one] });
    await crawler.post(at(`/${id}/add`), { crawlIds: [other] });
    await settled(under);
    const answer = await viewer.fetch('GET', at(`/${id}/replay.json`), { headers: { 'if-none-match': known } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      crawlCount: 1,
      resources: [{ crawlId: other }],
      initialPages: [{ title: 'other' }],
    });
  });

  it('is not 304 once one of its files has a copy', async () => {
    const { id } = await aCollection({ crawlIds: [await anItem(under, oid)] });
    await settled(under);
    under.clock.advance(5_000);
    const replay = (known = '') =>
      viewer.fetch('GET', at(`/${id}/replay.json`), { headers: { 'if-none-match': known } });
    const known = (await replay()).headers.get('etag') ?? '';
    expect((await replay(known)).status).toBe(304);
    const finished = under.clock.now();
    const job = { type: 'create-replica', oid: uuid(oid), success: true, started: finished, finished };
    await under.connection.collection('jobs').insertOne({ _id: `create-replica-${serial}` as never, ...job });
    expect((await replay(known)).status).toBe(200);
    under.clock.advance(5_000);
  });

  it('offers no pages when an item has none in the database', async () => {
    const old = await anItem(under, oid, { version: 1 });
    const current = await anItem(under, oid);
    const { id } = await aCollection({ crawlIds: [old, current] });
    expect((await viewer.get(at(`/${id}/replay.json`))).body.pagesQueryUrl).toBe('');
  });
});

describe('the public form', () => {
  it('is open for public and unlisted collections, from any site', async () => {
    const item = await anItem(under, oid, { contents: { 'p.wacz': Buffer.from('p') } });
    for (const access of ['public', 'unlisted']) {
      const { id, slug } = await aCollection({ access, crawlIds: [item] });
      const answer = await under.api.get(at(`/${id}/public/replay.json`));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-headers')).toBe('*');
      expect(answer.body.pagesQueryUrl).toMatch(/\/public\/pages$/);
      expect(answer.body.downloadUrl).toBe(`${under.baseUrl}/api/public/orgs/${orgSlug}/collections/${slug}/download`);
      const known = { 'if-none-match': answer.headers.get('etag') ?? '' };
      expect((await under.api.fetch('GET', at(`/${id}/public/replay.json`), { headers: known })).status).toBe(304);
      expect((await under.api.get(at(`/${id}/public/pages`))).body).toEqual({ items: [] });
    }
  });

  it('gives an address to download from whatever signs the slug has', async () => {
    const { id } = await aCollection({ access: 'public', slug: 'a/b ü?' });
    const { downloadUrl } = (await under.api.get(at(`/${id}/public/replay.json`))).body;
    expect(downloadUrl).toBe(`${under.baseUrl}/api/public/orgs/${orgSlug}/collections/a%2Fb%20%C3%BC%3F/download`);
    expect((await fetch(downloadUrl)).headers.get('content-type')).toBe('application/wacz+zip');
  });

  it('is closed for private ones, unknown ones and unknown orgs', async () => {
    const { id } = await aCollection();
    for (const path of ['public/replay.json', 'public/pages']) {
      expect(failing(await under.api.get(at(`/${id}/${path}`)))).toEqual([404, 'collection_not_found']);
      expect(failing(await under.api.get(at(`/${newId()}/${path}`)))).toEqual([404, 'collection_not_found']);
      const unknown = `/orgs/${newId()}/collections/${id}/${path}`;
      expect(failing(await under.api.get(unknown))).toEqual([404, 'org_not_found']);
    }
  });

  it.each(['public/replay.json', 'public/pages', 'pages'])('answers the preflight of %s', async (path) => {
    const answer = await under.api.fetch('OPTIONS', at(`/${newId()}/${path}`));
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('the public profile of an org', () => {
  it('shows public collections only, without what members see', async () => {
    const { slug } = await aCollection({ access: 'public', name: 'On show' });
    await aCollection({ access: 'unlisted', name: 'Hidden' });
    const profile = `/public/orgs/${orgSlug}/collections`;
    expect(failing(await under.api.get(profile))).toEqual([404, 'public_profile_not_found']);
    expect(failing(await under.api.get('/public/orgs/nobody/collections'))).toEqual([404, 'public_profile_not_found']);
    expect((await under.api.get(`${profile}/${slug}`)).status).toBe(200);
    await admin.post(`/orgs/${oid}/public-profile`, { enablePublicProfile: true, publicDescription: 'About us' });
    const { body } = await under.api.get(profile, { sortBy: 'name' });
    expect(body.org).toMatchObject({ description: 'About us', url: '' });
    expect(body.collections.map((c: { access: string }) => c.access)).not.toContain('unlisted');
    const shown = body.collections.find((c: { name: string }) => c.name === 'On show');
    expect(shown).toMatchObject({ slug, resources: [], orgPublicProfile: true });
    expect(shown).not.toHaveProperty('tags');
    expect(shown).not.toHaveProperty('homeUrlPageId');
    expect(failing(await under.api.get(profile, { sortBy: 'size' }))).toEqual([400, 'invalid_sort_by']);
  });

  it('lets a collection be downloaded unless it is told not to', async () => {
    const item = await anItem(under, oid, { contents: { 'd.wacz': Buffer.from('bytes of a wacz') } });
    const { id, slug } = await aCollection({ access: 'unlisted', name: 'Télé', crawlIds: [item] });
    const path = `/public/orgs/${orgSlug}/collections/${slug}/download`;
    const answer = await under.api.fetch('GET', path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/wacz+zip']);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBe(Number(answer.headers.get('content-length')));
    expect(bytes.includes('bytes of a wacz')).toBe(true);
    expect(bytes.includes('"type": "collection"')).toBe(true);
    expect((await viewer.fetch('GET', at(`/${id}/download`))).status).toBe(200);
    await crawler.patch(at(`/${id}`), { allowPublicDownload: false });
    expect(failing(await under.api.get(path))).toEqual([403, 'not_allowed']);
  });
});

describe('the thumbnail of a collection', () => {
  const picture = () => sharp({ create: { width: 40, height: 30, channels: 3, background: '#29c' } });
  const query = (filename = 'shot.png') => ({
    filename,
    sourceUrl: 'https://example.org/',
    sourceTs: '2026-01-02T03:04:05Z',
    sourcePageId: newId(),
  });
  const put = (id: string, raw: Buffer, asked: object = query(), client = crawler) =>
    client.call('PUT', at(`/${id}/thumbnail`), { query: asked as Record<string, string>, raw: new Uint8Array(raw) });
  const stored = async () => {
    const { bytesStoredThumbnails, bytesStored } = (await admin.get(`/orgs/${oid}`)).body;
    return { bytesStoredThumbnails, bytesStored };
  };
  const objects = async (): Promise<number> => {
    const { Storages } = await import('../../../src/storage/storages.js');
    const { OrgsRepository } = await import('../../../src/orgs/data/orgs.repository.js');
    const org = await under.app.get(OrgsRepository, { strict: false }).findById(oid);
    const store = under.app.get(Storages, { strict: false }).primaryOf(org as never);
    return (await store.list(`${oid}/images/`)).objects.length;
  };

  it('is stored encoded anew, counted, replaced and deleted without leaving anything', async () => {
    const { id, slug } = await aCollection({ access: 'public' });
    const before = await stored();
    expect((await put(id, await picture().png().toBuffer())).body).toEqual({ added: true });
    const { thumbnail, thumbnailSource } = (await viewer.get(at(`/${id}`))).body;
    expect(thumbnail).toMatchObject({ mime: 'image/png', originalFilename: 'shot.png' });
    expect(thumbnail.name).toMatch(new RegExp(`^${oid}/images/-thumbnail-${id}-[a-z2-7]{8}\\.png$`));
    expect(thumbnail.path).toMatch(/^https?:\/\//);
    expect(thumbnailSource).toMatchObject({ url: 'https://example.org/', urlTs: '2026-01-02T03:04:05Z' });
    expect((await stored()).bytesStoredThumbnails - before.bytesStoredThumbnails).toBe(thumbnail.size);
    expect((await stored()).bytesStored - before.bytesStored).toBe(thumbnail.size);

    const open = await under.api.fetch('GET', `/public/orgs/${orgSlug}/collections/${slug}/thumbnail`);
    const bytes = Buffer.from(await open.arrayBuffer());
    expect(open.headers.get('content-type')).toBe('image/png');
    expect(open.headers.get('etag')).toBe(`"${thumbnail.hash}"`);
    expect(open.headers.get('cache-control')).toBe('max-age=3600, stale-while-revalidate=86400');
    const { createHash } = await import('node:crypto');
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([thumbnail.size, thumbnail.hash]);
    const again = (tag: string) =>
      under.api.fetch('GET', `/public/orgs/${orgSlug}/collections/${slug}/thumbnail`, {
        headers: { 'if-none-match': tag },
      });
    expect([(await again(`"${thumbnail.hash}"`)).status, (await again('"older"')).status]).toEqual([304, 200]);

    await put(id, await picture().jpeg().toBuffer(), query('shot.jpg'));
    const replaced = (await viewer.get(at(`/${id}`))).body.thumbnail;
    expect(replaced.mime).toBe('image/jpeg');
    expect((await stored()).bytesStoredThumbnails - before.bytesStoredThumbnails).toBe(replaced.size);
    expect(await objects()).toBe(1);

    expect((await crawler.delete(at(`/${id}/thumbnail`))).body).toEqual({ deleted: true });
    expect((await viewer.get(at(`/${id}`))).body).toMatchObject({
      thumbnail: null,
      thumbnailSource: { url: 'https://example.org/' },
    });
    expect(await stored()).toEqual(before);
    expect(await objects()).toBe(0);
    expect(failing(await crawler.delete(at(`/${id}/thumbnail`)))).toEqual([404, 'thumbnail_not_found']);
    const gone = await under.api.get(`/public/orgs/${orgSlug}/collections/${slug}/thumbnail`);
    expect(failing(gone)).toEqual([404, 'thumbnail_not_found']);
    expect(gone.headers.get('cache-control') ?? '').not.toContain('max-age');
  });

  it('goes with its collection', async () => {
    const { id } = await aCollection();
    await put(id, await picture().png().toBuffer());
    await crawler.delete(at(`/${id}`));
    expect(await objects()).toBe(0);
  });

  it('may be a picture of one’s own, which names no page', async () => {
    const { id } = await aCollection();
    const raw = new Uint8Array(await picture().png().toBuffer());
    const answer = await crawler.call('PUT', at(`/${id}/thumbnail/upload`), { query: { filename: 'ours.png' }, raw });
    expect([answer.status, answer.body]).toEqual([200, { added: true }]);
    const { thumbnail, thumbnailSource } = (await crawler.get(at(`/${id}`))).body;
    expect([thumbnail.originalFilename, thumbnailSource]).toEqual(['ours.png', null]);
    await crawler.delete(at(`/${id}`));
  });

  it('is refused when it is too large, no image, without its source, or for no collection', async () => {
    const { id } = await aCollection();
    expect(failing(await put(id, Buffer.alloc(2_000_001)))).toEqual([400, 'max_thumbnail_size_2_mb_exceeded']);
    expect(failing(await put(id, Buffer.from('no image')))).toEqual([400, 'upload_failed']);
    expect(failing(await put(id, Buffer.alloc(0)))).toEqual([400, 'upload_failed']);
    expect(failing(await put(newId(), await picture().png().toBuffer()))).toEqual([404, 'collection_not_found']);
    for (const missing of ['filename', 'sourceUrl', 'sourceTs', 'sourcePageId']) {
      const answer = await put(id, Buffer.from('x'), { ...query(), [missing]: undefined });
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['query', missing]]);
    }
    expect((await put(id, Buffer.from('x'), query(), viewer)).status).toBe(403);
    expect(await objects()).toBe(0);
  });

  it('is refused in a read-only org', async () => {
    const { id } = await aCollection();
    await admin.post(`/orgs/${oid}/read-only`, { readOnly: true, readOnlyReason: 'test' });
    expect(failing(await put(id, await picture().png().toBuffer()))).toEqual([403, 'org_set_to_read_only']);
    await admin.post(`/orgs/${oid}/read-only`, { readOnly: false });
  });
});

describe('the internal form', () => {
  it('opens with a token for that collection, and with nothing else', async () => {
    const item = await anItem(under, oid, { contents: { 'i.wacz': Buffer.from('i') } });
    const { id } = await aCollection({ crawlIds: [item] });
    const secret = under.app.get(AppConfig).auth.passwordSecret.reveal();
    const exp = Math.floor(under.clock.nowMs() / 1000) + 60;
    const token = (claims: object) =>
      aToken({ sub: id, sub_type: 'coll', aud: 'btrix:custom-auth', exp, ...claims }, { secret });
    const ask = (auth_bearer?: string) => under.api.get(at(`/${id}/internal/replay.json`), { auth_bearer });
    expect((await ask(token({}))).body.resources).toMatchObject([{ name: 'i.wacz', crawlId: item }]);
    const refused = [
      undefined,
      'x',
      token({ sub: newId() }),
      token({ sub_type: 'org' }),
      token({ aud: 'btrix:auth' }),
      token({ exp: exp - 120 }),
    ];
    for (const bad of refused) expect(failing(await ask(bad))).toEqual([403, 'access_denied']);
    expect(failing(await viewer.get(at(`/${id}/internal/replay.json`)))).toEqual([403, 'access_denied']);
  });
});

it('$all gives the files of every item of the org', async () => {
  const other = await anOrg(under);
  const item = await anItem(under, other, { contents: { 'all.wacz': Buffer.from('all') } });
  const { body } = await admin.get(`/orgs/${other}/collections/$all`);
  // An encoded dollar is one too.
  const encoded = await admin.fetch('GET', `/orgs/${other}/collections/%24all`);
  expect([encoded.status, await encoded.json()]).toEqual([200, body]);
  expect(body.resources).toMatchObject([{ name: 'all.wacz', crawlId: item, size: 3 }]);
});
