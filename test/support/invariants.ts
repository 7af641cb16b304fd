import { minutes } from '../../src/common/units/durations.js';
import { DomainEvents } from '../../src/events/domain-events.js';
import type { ArchiveCheckOptions } from '../../src/invariants/archive-checks.js';
import { Invariants } from '../../src/invariants/invariants.js';
import type { Violation } from '../../src/invariants/violation.js';
import { FileRemover } from '../../src/objects/file-remover.js';
import { ItemDeleter } from '../../src/items/deletion/item-deleter.js';
import { KeptItemReaper } from '../../src/items/deletion/kept-item-reaper.js';
import { JobWorker } from '../../src/jobs/job-worker.js';
import type { AppUnderTest } from './start-app.js';

/** Longer than any lease, so that what a dead process held is taken over. */
const LEASES_MS = minutes(70);

/**
 * Does what the schedules would: tells events, completes deletions, runs jobs, deletes objects, until nothing is left.
 * Moves the clock beyond the leases of processes that are dead.
 */
export async function recovered(under: AppUnderTest): Promise<void> {
  const { app, clock } = under;
  // What runs in this process is not dead: its leases are not to end.
  await app.get(JobWorker, { strict: false }).drain();
  clock.advance(LEASES_MS);
  const workers = [DomainEvents, FileRemover].map((one) => app.get(one, { strict: false }));
  for (let done = 1; done > 0;) {
    done = await app.get(ItemDeleter, { strict: false }).recover();
    done += await app.get(KeptItemReaper, { strict: false }).recover();
    for (const one of workers) done += await one.drain();
    await app.get(JobWorker, { strict: false }).drain();
  }
}

/** Everything that `muniment check` finds wrong in the archive now. @param archives as the command with `--archives` */
export async function violations(under: AppUnderTest, archives?: ArchiveCheckOptions): Promise<Violation[]> {
  const found: Violation[] = [];
  await under.app
    .get(Invariants, { strict: false })
    .check((violation) => found.push(violation), { youngest: new Date(8.64e15), archives });
  return found;
}

/** For fault tests: lets the service recover and fails with what is wrong afterwards. */
export async function expectInvariants(under: AppUnderTest): Promise<void> {
  await recovered(under);
  expect(await violations(under)).toEqual([]);
}
