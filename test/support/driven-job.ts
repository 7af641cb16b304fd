import type { CrawlDriver } from '../../src/drivers/crawl-driver.js';
import type { CrawlJobSpec, DriverEvent, JobObservation } from '../../src/drivers/crawl-driver.types.js';
import type { ContainerStage } from './container-driver.js';
import { aCrawlJobSpec } from './crawl-job-spec.js';
import { eventually } from './eventually.js';

/** A crawl by the scripted crawler in containers that finds this many pages and takes so long for each. */
export function scriptedJob(
  stage: ContainerStage,
  { pages, pageMs = 200 }: { pages: number; pageMs?: number },
  changes: Partial<CrawlJobSpec> = {},
): CrawlJobSpec {
  const spec = aCrawlJobSpec(changes);
  return {
    ...spec,
    config: { seeds: [{ url: `https://site.example/?pages=${String(pages)}&ms=${String(pageMs)}` }] },
    windowsPerInstance: 8,
    storage: { ...spec.storage, s3: stage.s3 },
  };
}

/** Ticks as the supervisor does, also while something is down, until the observation is as wanted. */
export function tickUntil(
  driver: CrawlDriver,
  spec: CrawlJobSpec,
  check: (seen: JobObservation) => boolean,
  { instances = 1, boundMs = 90_000 } = {},
): Promise<JobObservation> {
  return eventually(
    async () => {
      await driver.ensure(spec, instances, {});
      const seen = await driver.observe(spec.jobId);
      if (!check(seen)) throw new Error(`not yet: ${JSON.stringify(seen)}`);
      return seen;
    },
    boundMs,
    100,
  );
}

/** Whether the first instance ended well. */
export const isDone = ({ instances: [first] }: JobObservation): boolean =>
  first?.phase === 'exited' && first.status === 'done';

/** Whether pages were crawled, and more are. */
export const isAtWork = ({ done, instances: [first] }: JobObservation): boolean =>
  done >= 2 && first?.phase === 'running';

/** Takes all that the job has told so far. */
export async function takeAll(driver: CrawlDriver, { jobId }: CrawlJobSpec): Promise<DriverEvent[]> {
  const all: DriverEvent[] = [];
  for (;;) {
    const batch = await driver.drain(jobId, 1000);
    if (batch.events.length === 0) return all;
    all.push(...batch.events);
    await batch.ack();
  }
}

/** The pages among the events, as often as they were told, sorted. */
export const urlsIn = (events: readonly DriverEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'page' ? [event.page.url] : [])).sort();
