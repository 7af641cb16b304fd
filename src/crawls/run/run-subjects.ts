import { Injectable } from '@nestjs/common';
import { isActive } from '../../items/data/item-state.facts.js';
import type { Item } from '../../items/data/item.schema.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import type { HeldRun } from '../data/held-run.js';
import { RunsRepository } from '../data/runs.repository.js';
import { viewOf, type RunContext } from './run-kind.js';

/** The items and orgs of several jobs. */
export class Subjects {
  constructor(
    private readonly orgs: ReadonlyMap<string, Org>,
    private readonly items: ReadonlyMap<string, Item>,
  ) {}

  /** The item of a job. Null when the item, or its org, is gone. */
  itemOf({ job }: HeldRun): Item | null {
    const found = this.orgs.has(job.oid) ? this.items.get(job.crawlId) : undefined;
    return found?.oid === job.oid ? found : null;
  }

  /** The context of a run. Null when nothing should run for the job any more. */
  contextOf(held: HeldRun): RunContext | null {
    const { job } = held;
    const org = this.orgs.get(job.oid);
    const item = this.itemOf(held);
    const run = item && viewOf(job, item);
    if (!org || !item || !run || item.deleted || !isActive(run.state)) return null;
    // The job is read when it is asked for.
    return {
      ...{ item, run, org },
      get job() {
        return held.job;
      },
    };
  }
}

/** Reads the items and orgs of jobs, for all of them at once. */
@Injectable()
export class RunSubjects {
  constructor(
    private readonly runs: RunsRepository,
    private readonly orgs: OrgsRepository,
  ) {}

  async of(held: readonly HeldRun[]): Promise<Subjects> {
    const [orgs, items] = await Promise.all([
      this.orgs.findByIds([...new Set(held.map(({ job }) => job.oid))]),
      this.runs.findItemsAcrossOrgs(held.map(({ job }) => job.crawlId)),
    ]);
    return new Subjects(new Map(orgs.map((org) => [org._id, org])), new Map(items.map((item) => [item._id, item])));
  }
}
