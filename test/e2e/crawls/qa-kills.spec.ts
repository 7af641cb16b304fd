import { jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { HeldSite } from '../../support/held-site.js';
import { processesOf } from '../../support/product.js';
import { faultsOfArchive, storedWaczs } from '../../support/replayed.js';
import { ServiceProcess } from '../../support/service-process.js';

const BOUND_MS = 240_000;

describe('a QA run whose service is killed', () => {
  jest.setTimeout(BOUND_MS * 4);
  let service: ServiceProcess;
  let site: HeldSite;

  beforeAll(async () => {
    const links = Array.from({ length: 7 }, (_, i) => `/page/${String(i)}`);
    site = await HeldSite.start({ '/': links, ...Object.fromEntries(links.map((path) => [path, []])) });
    site.open();
    service = await ServiceProcess.open();
  });
  afterAll(async () => {
    await service.close();
    await site.close();
  });

  it('goes on where it was, ends with a finding for each page, and leaves the figures right', async () => {
    const { items: orgs } = await service.call<{ items: { id: string }[] }>('GET', '/orgs');
    const org = `/orgs/${orgs[0]?.id ?? ''}`;
    const get = (path: string): Promise<any> => eventually(() => service.call('GET', `${org}${path}`), BOUND_MS);
    const config = { seeds: [{ url: `${site.url}/` }], scopeType: 'prefix', behaviors: '' };
    const { run_now_job: id } = await service.call('POST', `${org}/crawlconfigs/`, {
      name: 'Reviewed',
      config,
      browserWindows: 2,
      runNow: true,
    });
    await eventually(async () => expect(await get(`/crawls/${id}`)).toMatchObject({ state: 'complete' }), BOUND_MS);
    const { started } = await service.call('POST', `${org}/crawls/${id}/qa/start`);

    // Killed as it starts, and again with findings and without all of them, unless it was quicker than that.
    for (const least of [0, 1]) {
      await eventually(
        async () => {
          const { qa } = await get(`/crawls/${id}/qa/activeQA`);
          if (least > 0 && !qa) return;
          expect(qa).toMatchObject({ id: started, state: 'running' });
          expect(qa.stats.done).toBeGreaterThanOrEqual(least);
        },
        BOUND_MS,
        50,
      );
      await service.kill();
      service.spawn();
      await service.ready();
    }
    const run = await eventually(async () => {
      const runs = (await get(`/crawls/${id}/qa`)) as { id: string; state: string }[];
      expect(runs).toEqual([expect.objectContaining({ id: started, state: 'complete' })]);
      return runs[0] as Record<string, any>;
    }, BOUND_MS);
    expect(run).toMatchObject({ stats: { found: 8, done: 8 } });
    const { items, total } = await get(`/crawls/${id}/qa/${started}/pages?pageSize=50`);
    expect(total).toBe(8);
    for (const { url, qa } of items as { url: string; qa: { textMatch: number } }[])
      expect([url, qa.textMatch]).toEqual([url, 1]);

    await eventually(async () => {
      const others = (await processesOf(service.dataDir)).filter((line) => Number.parseInt(line, 10) !== service.pid);
      expect(others).toEqual([]);
    }, BOUND_MS);
    expect(await faultsOfArchive(await storedWaczs(service.dataDir))).toEqual([]);
    // The command needs the data folder to itself.
    await service.kill('SIGTERM');
    expect(await service.check()).toMatch(/^ok +archive: /m);
  });
});
