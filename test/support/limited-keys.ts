import type { ApiClient } from './api-client.js';
import { CrawlStage } from './crawl-stage.js';
import type { AppUnderTest } from './start-app.js';

/** A workflow with a finished crawl, which is in a collection. */
export interface Reached {
  readonly cid: string;
  readonly item: string;
  readonly coll: string;
}

/** Two of them in the default org, of which a limited key reaches one. */
export async function crawled(
  under: AppUnderTest,
): Promise<{ oid: string; mine: Reached; theirs: Reached; admin: ApiClient }> {
  const stage = await CrawlStage.of(under);
  stage.driver.script({ pagesPerSeed: 1, pageSeconds: 1 });
  const admin = await under.admin();
  const one = async (name: string): Promise<Reached> => {
    const workflow = await stage.aWorkflow();
    const item = await stage.start(workflow);
    await stage.until(item, 'complete');
    const { body } = await admin.post(`/orgs/${stage.oid}/collections`, { name, crawlIds: [item], access: 'private' });
    return { cid: workflow._id, item, coll: body.id as string };
  };
  return { oid: stage.oid, mine: await one('Mine'), theirs: await one('Theirs'), admin };
}
