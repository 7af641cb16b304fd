import { randomUUID } from 'node:crypto';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { seconds } from '../../src/common/units/durations.js';
import { CrawlJob } from '../../src/crawls/data/crawl-job.schema.js';
import { CrawlLauncher } from '../../src/workflows/running/crawl-launcher.js';
import { CrawlSupervisor } from '../../src/crawls/run/crawl-supervisor.js';
import type { FakeCrawlDriver } from '../../src/drivers/fake/fake-crawl-driver.js';
import type { Item } from '../../src/items/data/item.schema.js';
import { ItemsRepository } from '../../src/items/data/items.repository.js';
import type { Org } from '../../src/orgs/data/org.schema.js';
import { OrgsRepository } from '../../src/orgs/data/orgs.repository.js';
import { Workflow } from '../../src/workflows/data/workflow.schema.js';
import { WorkflowsRepository } from '../../src/workflows/data/workflows.repository.js';
import { fakeCrawls } from './fake-crawls.js';
import type { AppUnderTest } from './start-app.js';

const STARTER = { id: '7d7f3c4e-8a1b-4c2d-9e3f-1a2b3c4d5e6f', name: 'A starter' };

/** Crawls of the default org with the fake driver, moved on by hand. */
export class CrawlStage {
  readonly driver: FakeCrawlDriver;
  readonly supervisor: CrawlSupervisor;

  private constructor(
    readonly on: AppUnderTest,
    readonly oid: string,
  ) {
    this.driver = fakeCrawls(on.app);
    this.supervisor = on.app.get(CrawlSupervisor, { strict: false });
  }

  static async of(on: AppUnderTest): Promise<CrawlStage> {
    const org = await on.app.get(OrgsRepository, { strict: false }).findDefault();
    if (!org) throw new Error('no default org');
    return new CrawlStage(on, org._id);
  }

  async org(): Promise<Org> {
    const org = await this.on.app.get(OrgsRepository, { strict: false }).findById(this.oid);
    if (!org) throw new Error('the org is gone');
    return org;
  }

  async setOrg(set: Partial<Org>): Promise<void> {
    await this.on.app.get(OrgsRepository, { strict: false }).set(this.oid, set);
  }

  async aWorkflow(changes: Partial<Workflow> = {}): Promise<Workflow> {
    const model = this.on.app.get<Model<Workflow>>(getModelToken(Workflow.name), { strict: false });
    const _id = randomUUID();
    const now = this.on.clock.timestamp();
    await model.insertMany([
      {
        _id,
        oid: this.oid,
        name: 'Site',
        config: { seeds: [{ url: 'https://site.example/' }], scopeType: 'prefix' },
        firstSeed: 'https://site.example/',
        seedCount: 1,
        created: now,
        modified: now,
        ...changes,
      },
    ]);
    const workflow = await this.on.app.get(WorkflowsRepository, { strict: false }).find(this.oid, _id);
    if (!workflow) throw new Error('the workflow was not stored');
    return workflow;
  }

  async start(workflow: Workflow, options: { scheduled?: Date } = {}): Promise<string> {
    return this.on.app.get(CrawlLauncher, { strict: false }).start(await this.org(), workflow, STARTER, options);
  }

  /** A crawl of a workflow of its own. */
  async aCrawl(changes: Partial<Workflow> = {}): Promise<string> {
    return this.start(await this.aWorkflow(changes));
  }

  async item(crawlId: string): Promise<Item> {
    const item = await this.find(crawlId);
    if (!item) throw new Error(`no crawl ${crawlId}`);
    return item;
  }

  async find(crawlId: string): Promise<Item | null> {
    return this.on.app.get(ItemsRepository, { strict: false }).findById(this.oid, crawlId);
  }

  async state(crawlId: string): Promise<string> {
    return (await this.item(crawlId)).state;
  }

  async job(jobId: string): Promise<CrawlJob | null> {
    const model = this.on.app.get<Model<CrawlJob>>(getModelToken(CrawlJob.name), { strict: false });
    return (await model.findOne({ _id: jobId }).lean().exec()) as CrawlJob | null;
  }

  /** Lets time pass in steps of the supervisor's tick, evaluating what is due after each. */
  async pass(totalSeconds: number, stepSeconds = 10): Promise<void> {
    for (let passed = 0; passed < totalSeconds; passed += stepSeconds) {
      this.on.clock.advance(seconds(Math.min(stepSeconds, totalSeconds - passed)));
      await this.look();
    }
  }

  /** Evaluates what is due now, once. */
  private async look(): Promise<void> {
    await this.supervisor.look();
    await this.supervisor.settled();
  }

  /** Evaluates a job a few times without time passing. */
  async settle(jobId: string, times = 3): Promise<void> {
    for (let i = 0; i < times; i += 1) await this.supervisor.evaluateNow(jobId);
  }

  /** Passes time until the crawl has this state. */
  async until(crawlId: string, state: string, maxSeconds = 600): Promise<Item> {
    for (let passed = 0; passed <= maxSeconds; passed += 1) {
      const item = await this.item(crawlId);
      if (item.state === state) return item;
      this.on.clock.advance(seconds(1));
      await this.look();
    }
    throw new Error(`${crawlId} is ${await this.state(crawlId)}, not ${state}, after ${String(maxSeconds)} s`);
  }
}
