import type { FakeBrowserDriver } from '../../src/drivers/fake/fake-browser-driver.js';
import { BrowserDriver } from '../../src/drivers/browser-driver.js';
import type { ApiClient } from './api-client.js';
import { settled } from './archive.js';
import { CrawlStage } from './crawl-stage.js';
import { aMember, anOrg, type Member } from './people.js';
import type { AppUnderTest } from './start-app.js';
import { waczOf } from './zip.js';

type Make = () => Promise<string>;

/** An org with one of everything, which calls may spoil: what is gone is made again. */
export class SweepStage {
  /** By the name of the path parameter. */
  readonly ids = new Map<string, string>();
  /** An org that calls may delete. */
  doomedOid = '';
  owner!: Member;
  viewer!: Member;
  private readonly org: string;
  private readonly wacz: Promise<Buffer>;

  private constructor(
    private readonly crawls: CrawlStage,
    readonly admin: ApiClient,
  ) {
    this.org = `/orgs/${crawls.oid}`;
    this.ids.set('oid', crawls.oid);
    this.wacz = waczOf(['https://a.example/', 'https://b.example/']);
  }

  static async of(under: AppUnderTest): Promise<SweepStage> {
    const crawls = await CrawlStage.of(under);
    crawls.driver.script({ pagesPerSeed: 2, pageSeconds: 1 });
    const browsers = under.app.get<FakeBrowserDriver>(BrowserDriver, { strict: false });
    browsers.startSeconds = 0;
    const stage = new SweepStage(crawls, await under.admin());
    stage.owner = await aMember(under, crawls.oid, 40);
    stage.viewer = await aMember(under, crawls.oid, 10);
    await stage.refresh();
    return stage;
  }

  get oid(): string {
    return this.crawls.oid;
  }

  /** Makes what is missing, and takes back what would refuse every call. */
  async refresh(): Promise<void> {
    const { admin, org } = this;
    await admin.post(`${org}/read-only`, { readOnly: false });
    await admin.post(`${org}/quotas`, {
      storageQuota: 0,
      maxExecMinutesPerMonth: 0,
      maxConcurrentCrawls: 0,
      maxPagesPerCrawl: 0,
      extraExecMinutes: 0,
      giftedExecMinutes: 0,
    });
    for (const { email } of [this.owner, this.viewer])
      await admin.post(`${org}/add-user`, { email, name: email, role: email === this.owner.email ? 40 : 10 });
    if (!this.doomedOid || (await admin.get(`/orgs/${this.doomedOid}`)).status !== 200)
      this.doomedOid = await anOrg(this.crawls.on);
    await this.kept('cid', `${org}/crawlconfigs/`, () => this.aWorkflow());
    await this.kept('crawl_id', `${org}/all-crawls/`, () => this.aCrawl());
    await this.kept('crawlid', `${org}/uploads/`, () => this.anUpload());
    await this.kept('coll_id', `${org}/collections/`, () => this.aCollection());
    await this.kept('file_id', `${org}/files/`, () => this.aSeedFile());
    await this.kept('profileid', `${org}/profiles/`, () => this.aProfile());
    await this.kept('browserid', `${org}/profiles/browser/`, () => this.aBrowser());
    await this.lookUp();
  }

  /** Lets crawls and background jobs go on. */
  async pass(): Promise<void> {
    await this.crawls.pass(20, 5);
    await settled(this.crawls.on);
  }

  private async kept(name: string, path: string, make: Make): Promise<void> {
    const id = this.ids.get(name);
    const { status, body } = id === undefined ? { status: 404, body: {} } : await this.admin.get(`${path}${id}`);
    // Jobs of an upload can be asked for again, so that it is no longer complete.
    const isWhole = status === 200 && ['complete', undefined].includes((body as { state?: string }).state);
    if (!isWhole) this.ids.set(name, await make());
  }

  private async lookUp(): Promise<void> {
    const { admin, org, ids } = this;
    const crawl = `${org}/crawls/${ids.get('crawl_id') ?? ''}`;
    const set = (name: string, id: unknown) => typeof id === 'string' && ids.set(name, id);
    set('page_id', (await admin.get(`${crawl}/pages`)).body.items?.[0]?.id);
    set('qa_run_id', (await admin.get(`${crawl}/qa`)).body?.[0]?.id);
    set('notificationid', (await admin.get(`${org}/webhooks`)).body.items?.[0]?.id);
    set('job_id', (await admin.get(`${org}/jobs`)).body.items?.[0]?.id);
    set('org_slug', (await admin.get(org)).body.slug);
    set('coll_slug', (await admin.get(`${org}/collections/${ids.get('coll_id') ?? ''}`)).body.slug);
    const { body } = await admin.post(`${org}/invite`, { email: 'invited@example.com', role: 10 });
    set('token', body.token);
  }

  private async made(what: string, answer: Promise<{ status: number; body: unknown }>, name = 'id'): Promise<string> {
    const { status, body } = await answer;
    const id = (body as Record<string, unknown>)[name];
    if (typeof id !== 'string') throw new Error(`${what} was answered ${String(status)} ${JSON.stringify(body)}`);
    return id;
  }

  private aWorkflow(): Promise<string> {
    const config = { seeds: [{ url: 'https://site.example/' }], scopeType: 'prefix' };
    return this.made('a workflow', this.admin.post(`${this.org}/crawlconfigs/`, { name: 'Swept', config }));
  }

  private async aCrawl(): Promise<string> {
    const id = await this.crawls.aCrawl();
    await this.crawls.until(id, 'complete');
    await this.admin.post(`${this.org}/crawls/${id}/qa/start`);
    await this.pass();
    return id;
  }

  private async anUpload(): Promise<string> {
    const options = { query: { filename: 'a.wacz' }, raw: new Uint8Array(await this.wacz) };
    const id = await this.made('an upload', this.admin.put(`${this.org}/uploads/stream`, undefined, options));
    await settled(this.crawls.on);
    return id;
  }

  private aCollection(): Promise<string> {
    const name = `Swept ${crypto.randomUUID()}`;
    const crawlIds = [this.ids.get('crawl_id'), this.ids.get('crawlid')];
    const body = { name, crawlIds, access: 'public' };
    return this.made('a collection', this.admin.post(`${this.org}/collections`, body));
  }

  private aSeedFile(): Promise<string> {
    const options = { query: { filename: 'a.txt' }, raw: new TextEncoder().encode('https://a.example/\n') };
    return this.made('a seed file', this.admin.put(`${this.org}/files/seedFile`, undefined, options));
  }

  private aBrowser(): Promise<string> {
    const url = 'https://example.com/';
    return this.made('a browser', this.admin.post(`${this.org}/profiles/browser`, { url }), 'browserid');
  }

  private async aProfile(): Promise<string> {
    const browserid = await this.aBrowser();
    return this.made('a profile', this.admin.post(`${this.org}/profiles`, { browserid, name: 'Swept' }));
  }
}
