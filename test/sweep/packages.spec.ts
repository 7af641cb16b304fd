import type { ApiClient } from '../support/api-client.js';
import { givenUp } from '../support/archive.js';
import { expectInvariants } from '../support/invariants.js';
import { Random } from '../support/random.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';
import { sayFigures, SWEEP_SEED, sweepSize } from '../support/sweep-size.js';
import { waczOf, zipOf } from '../support/zip.js';

const PACKAGES = sweepSize(30, 1_000);
/** As many as are sent before the background work is done. */
const ROUND = 30;

describe('packages that were spoilt at random', () => {
  let under: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let originals: Buffer[];

  beforeAll(async () => {
    under = await startApp();
    [api, oid] = [await under.admin(), await under.defaultOrgId()];
    const wacz = await waczOf(['https://a.example/', 'https://b.example/']);
    const pair = ['one.wacz', 'two.wacz'].map((name) => ({ name, content: wacz, compress: name === 'two.wacz' }));
    originals = [wacz, await zipOf(pair)];
  });
  afterAll(() => under?.close());

  /** Bits flipped, bytes cut off, repeated or taken from elsewhere. */
  function spoilt(random: Random): Buffer {
    let bytes = Buffer.from(random.pick(originals));
    for (let n = random.below(8); n >= 0; n--) {
      const at = random.chance(0.5) ? random.below(bytes.length) : Math.max(0, bytes.length - 1 - random.below(400));
      const kind = random.below(4);
      if (kind === 0) bytes = bytes.subarray(0, Math.max(1, at));
      else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(random.below(bytes.length))]);
      else if (kind === 2) bytes[at] = random.below(256);
      else bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
    }
    return bytes.length > 0 ? bytes : Buffer.from('x');
  }

  it(`are complete or failed in the end, and every counter agrees: ${String(PACKAGES)} of them`, async () => {
    const ended: Record<string, number> = {};
    for (let begun = 0; begun < PACKAGES; begun += ROUND) {
      const ids: string[] = [];
      for (let n = begun; n < Math.min(begun + ROUND, PACKAGES); n++) {
        const raw = new Uint8Array(spoilt(new Random(SWEEP_SEED, n)));
        const options = { query: { filename: `${String(n)}.wacz` }, raw };
        const { status, body } = await api.put(`/orgs/${oid}/uploads/stream`, undefined, options);
        expect([n, status]).toEqual([n, 200]);
        ids.push(body.id as string);
      }
      await givenUp(under);
      for (const id of ids) {
        const { state } = (await api.get(`/orgs/${oid}/uploads/${id}`)).body as { state: string };
        ended[state] = (ended[state] ?? 0) + 1;
      }
      await expectInvariants(under);
    }
    sayFigures(`${String(PACKAGES)} spoilt packages: ${JSON.stringify(ended)}`);
    expect(Object.keys(ended).filter((state) => !['complete', 'failed'].includes(state))).toEqual([]);
  }, 3_600_000);
});
