import type { Page } from 'playwright-core';
import { axeFindings, Console, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { PictureSite } from '../../support/picture-site.js';

const BOUND_MS = 240_000;
const NAME = 'Every week';

describe('deduplication', () => {
  let on: Console;
  let site: PictureSite;
  let org: { id: string; slug: string };
  let page: Page;

  beforeAll(async () => {
    [on, site] = await Promise.all([
      Console.open({ DEDUPE_FEATURE_ENABLED_DEFAULT: 'true' }),
      PictureSite.start({ pages: 2, pictures: 2, bytes: 300_000 }),
    ]);
    org = await on.org();
    await on.service.call('POST', `/orgs/${org.id}/feature-flags`, { dedupeEnabled: true });
    page = await on.person();
  }, BOUND_MS);
  afterAll(async () => {
    await on?.close();
    await site?.close();
  });

  const at = (path: string) => page.goto(`${on.service.baseUrl}/o/${org.slug}${path}`);
  const indexState = async (id: string): Promise<string | null> =>
    (await on.service.call<{ indexState: string | null }>('GET', `/orgs/${org.id}/collections/${id}`)).indexState;

  it(
    'is chosen in the editor, and the collection shows what was not stored again',
    async () => {
      const { id } = await on.service.call<{ id: string }>('POST', `/orgs/${org.id}/collections`, { name: NAME });
      await at(`/collections/${id}`);
      await page.getByRole('tab', { name: 'Deduplication' }).click();
      await page.getByText('This collection has no index yet').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Make an index' }).click();
      await page.getByRole('heading', { name: 'Not stored again: 0 bytes' }).waitFor();

      await at('/workflows/new');
      await page.getByLabel('Start at these addresses').fill(`${site.url}/`);
      await page.getByRole('combobox', { name: 'Compare with a collection' }).click();
      const skipFrom = page.getByLabel('Skip pages that have not changed, from depth');
      expect(await skipFrom.count()).toBe(0);
      await page.getByRole('option', { name: NAME }).click();
      await skipFrom.fill('1');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForURL(/\/workflows\/[0-9a-f-]{36}$/);
      const cid = page.url().split('/').at(-1) ?? '';
      const path = `/orgs/${org.id}/crawlconfigs/${cid}`;
      const stored = await on.service.call<{ config: { dedupePagesMinDepth: number } }>('GET', path);
      expect(stored.config.dedupePagesMinDepth).toBe(1);
      for (const _run of ['first', 'second']) {
        const { started } = await on.service.call<{ started: string }>(
          'POST',
          `/orgs/${org.id}/crawlconfigs/${cid}/run`,
        );
        await on.completed(org.id, started);
        await eventually(async () => expect(['ready', 'idle']).toContain(await indexState(id)), BOUND_MS, 500);
      }

      await at(`/collections/${id}?tab=dedupe`);
      await page.getByRole('heading', { name: /^Not stored again: \d.* (kB|MB)$/ }).waitFor();
      await page.getByRole('region', { name: 'Crawls that refer to others' }).getByText('needs 1 item').waitFor();
      await page.getByRole('region', { name: 'Items that others need' }).getByText('needed by 1 item').waitFor();
      await page.getByRole('region', { name: 'Workflows that use it' }).getByRole('link').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await picture(page, 'collection-dedupe');

      await page.getByRole('region', { name: 'Crawls that refer to others' }).getByRole('link').click();
      await page.getByText('addresses were stored before').waitFor();
      await page.goBack();

      await page.getByRole('button', { name: 'Rebuild' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Rebuild' }).click();
      await eventually(async () => expect(['ready', 'idle']).toContain(await indexState(id)), BOUND_MS, 500);
      await page.getByRole('button', { name: 'Delete the index' }).click();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the index' }).click();
      await page.getByText('This collection has no index yet').waitFor();
      expect(await indexState(id)).toBeNull();
      expect(on.complaints).toEqual([]);
    },
    2 * BOUND_MS,
  );
});
