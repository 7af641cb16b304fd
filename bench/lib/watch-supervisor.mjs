/**
 * Loaded into the built service (`--import`): keeps how late each job was looked at and how long the look took, and
 * lets fake crawls go on for as long as the bench does.
 */
import { CrawlSupervisor } from '../../dist/src/crawls/run/crawl-supervisor.js';
import { FakeCrawlDriver } from '../../dist/src/drivers/fake/fake-crawl-driver.js';

const late = [];
const took = [];

const { evaluate } = CrawlSupervisor.prototype;
CrawlSupervisor.prototype.evaluate = async function (held, ...rest) {
  const began = performance.now();
  late.push(held.claimedAt - held.job.dueAt);
  await evaluate.call(this, held, ...rest);
  took.push(performance.now() - began);
};

const { ensure } = FakeCrawlDriver.prototype;
FakeCrawlDriver.prototype.ensure = function (...args) {
  this.script({ pagesPerSeed: 5_000 });
  return ensure.apply(this, args);
};

/** What the service's child process answers besides its own figures. */
globalThis.furtherFigures = () => ({ late: late.splice(0), took: took.splice(0) });
