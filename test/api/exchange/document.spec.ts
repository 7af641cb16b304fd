import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anItem } from '../../support/archive.js';
import { waczWith } from '../../support/exchange-archive.js';
import { twoOrgs } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { asPattern, readDocument, runSteps, stepsOf } from '../../support/tutorial.js';

const SEED = 'https://exchange.example/';

describe('docs/exchange.md', () => {
  let under: AppUnderTest;
  let folder: string;

  beforeAll(async () => {
    under = await startApp();
    folder = await mkdtemp(join(tmpdir(), 'muniment-exchange-'));
  });
  afterAll(async () => {
    await under?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('says what its commands print', async () => {
    const { oid, viewer, crawler } = await twoOrgs(under);
    const wacz = await waczWith([{ url: SEED, at: '2025-01-02T03:04:05Z' }]);
    const itemId = await anItem(under, oid, { contents: { 'exchanged.wacz': wacz } });
    const collection = { name: 'Exchanged', access: 'public', crawlIds: [itemId] };
    expect((await crawler.api.post(`/orgs/${oid}/collections`, collection)).status).toBe(200);
    const env = {
      ...{ BASE: under.baseUrl, EMAIL: viewer.email, PASSWORD: viewer.password, ITEM: itemId, SEED },
      ...{ ORG: (await viewer.api.get(`/orgs/${oid}`)).body.slug as string, COLLECTION: 'exchanged' },
    };
    const steps = stepsOf(await readDocument('exchange.md'));
    expect(steps.length).toBeGreaterThan(15);
    const printed = await runSteps(steps, env, { cwd: folder });
    steps.forEach(({ command, output }, index) =>
      expect([command, printed[index]]).toEqual([command, expect.stringMatching(asPattern(output))]),
    );
    const sum = createHash('sha256').update(wacz).digest('hex');
    expect(printed.filter((text) => text === sum)).toHaveLength(2);
  }, 300_000);
});
