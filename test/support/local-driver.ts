import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type {
  CrawlerPage,
  CrawlJobSpec,
  DriverEvent,
  FileEvent,
  FindOriginals,
  JobObservation,
} from '../../src/drivers/crawl-driver.types.js';
import { LocalCrawlDriver } from '../../src/drivers/local/local-crawl-driver.js';
import { LocalRuntime } from '../../src/drivers/local/local-runtime.js';
import type { DriverClock, LocalSettings } from '../../src/drivers/local/local-settings.js';
import type { ObjectStore } from '../../src/storage/object-store.js';
import { BUILT_TUNNEL, SCRIPTED_CRAWLER } from './build-crawler.js';
import { aCrawlJobSpec, CRAWLER } from './crawl-job-spec.js';
import { eventually } from './eventually.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { faultsOfArchive } from './replayed.js';
import { TestClock } from './test-clock.js';

/** What local drivers stand on, with private addresses open. What is left out is that of scripted crawls. */
export function localRuntime(
  { store, clock, log = () => undefined }: { store: ObjectStore; clock: DriverClock; log?: (line: object) => unknown },
  settings: Pick<LocalSettings, 'dataDir'> & Partial<LocalSettings>,
): LocalRuntime {
  return new LocalRuntime(
    {
      crawlerEntry: SCRIPTED_CRAWLER,
      tunnelEntry: BUILT_TUNNEL,
      programs: {},
      chromiumPath: process.env['CHROMIUM_PATH'] ?? '',
      maxConcurrentBrowsers: 2,
      waczRolloverBytes: 1e9,
      crawler: CRAWLER,
      allowPrivate: true,
      allowAddresses: [],
      cgroups: [],
      ...settings,
    },
    () => Promise.resolve(store),
    clock,
    { warn: log, error: log },
    () => undefined,
  );
}

/** What is wrong with the WACZs in the store. @param folder to lay them in */
export async function faultsOfStored({ objects }: MemoryObjectStore, folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const [key, bytes] of objects) {
    if (!key.endsWith('.wacz')) continue;
    const path = join(folder, basename(key));
    await writeFile(path, bytes);
    paths.push(path);
  }
  return faultsOfArchive(paths);
}

/** A local driver on a data directory of its own, and what the supervisor does with it. */
export class LocalDriverUnderTest {
  readonly events: DriverEvent[] = [];
  readonly logged: object[] = [];
  driver!: LocalCrawlDriver;
  /** Registered with each new process. */
  originals: FindOriginals | undefined;

  private constructor(
    readonly dataDir: string,
    readonly entry: string,
    private readonly cgroups: readonly string[],
    readonly store = new MemoryObjectStore(),
    readonly clock = new TestClock(),
  ) {}

  static async open(entry = SCRIPTED_CRAWLER, cgroups: readonly string[] = []): Promise<LocalDriverUnderTest> {
    const t = new LocalDriverUnderTest(await mkdtemp(join(tmpdir(), 'local-driver-')), entry, cgroups);
    await t.reopen();
    return t;
  }

  /** A new process on the same directory. */
  async reopen(): Promise<void> {
    const { store, clock, dataDir, entry, cgroups } = this;
    const log = (line: object): unknown => this.logged.push(line);
    const runtime = localRuntime({ store, clock, log }, { dataDir, crawlerEntry: entry, cgroups });
    this.driver = new LocalCrawlDriver(runtime);
    if (this.originals) this.driver.onOriginals(this.originals);
    await this.driver.open();
  }

  /** @throws when a WACZ of the real crawler does not stand up to the validators or does not replay */
  async close(): Promise<void> {
    await this.driver.close();
    const faults = this.entry === SCRIPTED_CRAWLER ? [] : await faultsOfStored(this.store, this.dataDir);
    await rm(this.dataDir, { recursive: true, force: true });
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  /** A scripted job, e.g. `pages=5&ms=100`. */
  job(script: string, changes: Partial<CrawlJobSpec> = {}): CrawlJobSpec {
    return aCrawlJobSpec({ config: { seeds: [{ url: `https://site.example/?${script}` }] }, ...changes });
  }

  dir(spec: CrawlJobSpec, ...names: string[]): string {
    return join(this.dataDir, 'work', spec.jobId, ...names);
  }

  /** Ticks until the observation is as wanted; events are taken unless `drain` is false. */
  until(
    spec: CrawlJobSpec,
    check: (seen: JobObservation) => boolean,
    options: { drain?: boolean; wanted?: number; boundMs?: number } = {},
  ): Promise<JobObservation> {
    const { drain = true, wanted = 1, boundMs = 90_000 } = options;
    return eventually(
      async () => {
        await this.driver.ensure(spec, wanted, {});
        const seen = await this.driver.observe(spec.jobId);
        if (drain) await this.take(spec);
        if (!check(seen)) throw new Error(`not yet: ${JSON.stringify(seen)}`);
        return seen;
      },
      boundMs,
      20,
    );
  }

  async take(spec: CrawlJobSpec): Promise<void> {
    for (;;) {
      const batch = await this.driver.drain(spec.jobId, 50);
      if (batch.events.length === 0) return;
      this.events.push(...batch.events);
      await batch.ack();
    }
  }

  /** Ends with this status; what is left is taken. */
  async over(spec: CrawlJobSpec, status: string, boundMs = 90_000): Promise<JobObservation> {
    const seen = await this.until(
      spec,
      ({ instances: [first] }) => first?.phase === 'exited' && first.status === status,
      { boundMs },
    );
    await this.take(spec);
    return seen;
  }

  get pages(): CrawlerPage[] {
    return this.events.flatMap((event) => (event.type === 'page' ? [event.page] : []));
  }

  get files(): FileEvent[] {
    return this.events.filter((event) => event.type === 'file');
  }

  get errorLines(): string[] {
    return this.events.flatMap((event) => (event.type === 'error' ? [event.line] : []));
  }
}
