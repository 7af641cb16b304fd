import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { sourcesOf } from '../../../src/crawls/rules/crawl-state.js';
import { CrawlJobsRepository } from '../../../src/crawls/data/crawl-jobs.repository.js';
import type { CrawlJob } from '../../../src/crawls/data/crawl-job.schema.js';
import { RunFinisher } from '../../../src/crawls/run/run-finisher.js';
import { viewOf, type RunContext } from '../../../src/crawls/run/run-kind.js';
import {
  isFinal,
  NON_RUNNING,
  RUNNING_AND_WAITING,
  type ActiveState,
  type CrawlState,
  type FinalState,
} from '../../../src/items/data/item-state.facts.js';
import { Item } from '../../../src/items/data/item.schema.js';
import { decode } from '../../../src/database/uuid-codec.js';
import type { Org } from '../../../src/orgs/data/org.schema.js';
import { CrawlStage } from '../../support/crawl-stage.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const STATES: readonly CrawlState[] = [...RUNNING_AND_WAITING, ...NON_RUNNING];

/** Every pair of two states is tried, as the supervisor does it, on a stored crawl: the table decides, nothing else. */
describe('the transitions of the state table', () => {
  let on: AppUnderTest;
  let stage: CrawlStage;
  let finisher: RunFinisher;
  let crawlId: string;
  let items: Model<Item>;
  let job: CrawlJob;
  let org: Org;

  beforeAll(async () => {
    on = await startApp();
    stage = await CrawlStage.of(on);
    finisher = on.app.get(RunFinisher, { strict: false });
    items = on.app.get<Model<Item>>(getModelToken(Item.name), { strict: false });
    crawlId = await stage.aCrawl();
    org = await stage.org();
    job = (await on.app.get(CrawlJobsRepository, { strict: false }).find(stage.oid, crawlId)) as CrawlJob;
  });
  afterAll(() => on.close());

  async function crawlIn(state: CrawlState): Promise<RunContext> {
    const set = { $set: { state, finished: null } };
    const item = decode(await items.findOneAndUpdate({ _id: crawlId }, set, { returnDocument: 'after' }).lean().exec());
    const run = item && viewOf(job, item as Item);
    if (!run) throw new Error('the crawl is gone');
    return { job, item: item as Item, run, org };
  }

  /** @returns whether the crawl was moved */
  async function tried(from: CrawlState, to: CrawlState): Promise<boolean> {
    const context = await crawlIn(from);
    if (!isFinal(to)) return finisher.move(context, to as ActiveState);
    return finisher.finish(context, to as FinalState, { held: null, observed: null });
  }

  const targets = STATES.map((to) => [to, sourcesOf(to)] as const);

  it.each(targets)('lead to %s from where the table says, and only from there', async (to, sources) => {
    const moved: CrawlState[] = [];
    for (const from of STATES) {
      if (from === to) continue;
      if (await tried(from, to)) moved.push(from);
      const { state, finished } = await stage.item(crawlId);
      expect([from, state]).toEqual([from, moved.includes(from) ? to : from]);
      expect(finished !== null).toBe(isFinal(to) && moved.includes(from));
    }
    expect(moved.sort()).toEqual([...sources].sort());
  });

  it('is tried whole', () => {
    const transitions = targets.flatMap(([to, sources]) => sources.map((from) => `${from} → ${to}`));
    expect(new Set(transitions).size).toBe(transitions.length);
    // What has no way in would not be reached, and what has no way out would have to be final.
    expect(targets.filter(([, sources]) => sources.length === 0)).toEqual([]);
    const left = new Set(targets.flatMap(([, sources]) => sources));
    expect(STATES.filter((state) => !left.has(state as ActiveState))).toEqual([...NON_RUNNING]);
  });
});
