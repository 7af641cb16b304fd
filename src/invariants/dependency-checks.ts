import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { minutes } from '../common/units/durations.js';
import type { KeptItem } from '../items/data/kept-item.schema.js';
import type { ReportViolation } from './counter-checks.js';
import { DependenciesQueries } from './data/dependencies.queries.js';
import { RecountsQueries } from './data/recounts.queries.js';
import { differences, persisting, type Violation } from './violation.js';

/** How long a kept item may wait for the look that finds whether it is still needed. */
const GRACE_MS = minutes(10);

/** Checks that what an item refers to can be reached, and that files are kept only for somebody (ADR 0043). */
@Injectable()
export class DependencyChecks {
  constructor(
    private readonly queries: DependenciesQueries,
    private readonly recounts: RecountsQueries,
    private readonly clock: Clock,
  ) {}

  async check(found: ReportViolation): Promise<void> {
    for await (const oids of this.recounts.orgIds()) {
      for (const oid of oids) {
        for await (const ids of this.queries.requiringIds(oid))
          (await persisting(() => this.compareItems(oid, ids))).forEach(found);
        for await (const ids of this.queries.keptIds(oid))
          (await persisting(() => this.compareKept(oid, ids))).forEach(found);
      }
    }
  }

  /** Each required item is an item, or kept for the one that requires it, or was taken down. */
  private async compareItems(oid: string, ids: readonly string[]): Promise<Violation[]> {
    const items = (await this.queries.findItems(oid, ids)).filter(({ deleted }) => !deleted);
    const required = [...new Set(items.flatMap(({ requiresCrawls }) => requiresCrawls ?? []))];
    const stored = new Set((await this.queries.findItems(oid, required)).map(({ _id }) => _id));
    const kept = new Map((await this.queries.findKept(oid, required)).map((one) => [one._id, one]));
    return items.flatMap(({ _id: id, requiresCrawls }) =>
      (requiresCrawls ?? []).flatMap((requiredId): Violation[] => {
        if (stored.has(requiredId)) return [];
        const of = { subject: 'item', oid, id } as const;
        const files = kept.get(requiredId);
        if (!files) return [{ ...of, field: 'requiresCrawls', stored: requiredId, expected: null }];
        const isKeptForIt = files.requiredBy.includes(id);
        return isKeptForIt ? [] : [{ ...of, field: `kept for it: ${requiredId}`, stored: false, expected: true }];
      }),
    );
  }

  /** Each kept item is no item any more, has somebody who needs it, and counts its files. */
  private async compareKept(oid: string, ids: readonly string[]): Promise<Violation[]> {
    const kept = await this.queries.findKept(oid, ids);
    const dependents = [...new Set(kept.flatMap(({ requiredBy }) => requiredBy))];
    const items = new Set((await this.queries.findItems(oid, [...dependents, ...ids])).map(({ _id }) => _id));
    const living = new Set([...items, ...(await this.queries.findKept(oid, dependents)).map(({ _id }) => _id)]);
    const held = await this.queries.heldAmong(oid, ids);
    return kept.flatMap((one) => {
      const of = { subject: 'keptItem', oid, id: one._id } as const;
      const needed = held.has(one._id) || one.requiredBy.some((id) => living.has(id)) || this.isAboutToBeLookedAt(one);
      const lost = one.requiredBy.filter((id) => !living.has(id) && !this.isAboutToBeLookedAt(one));
      return [
        ...differences(of, { ...figures(one), isItem: items.has(one._id), isNeeded: needed }, recounted(one)),
        ...lost.map((id): Violation => ({ ...of, field: 'requiredBy', stored: id, expected: null })),
      ];
    });
  }

  private isAboutToBeLookedAt({ dueAt }: KeptItem): boolean {
    const now = this.clock.nowMs();
    return dueAt.getTime() <= now && dueAt.getTime() > now - GRACE_MS;
  }
}

const figures = ({ fileCount, fileSize }: KeptItem) => ({ fileCount, fileSize });
const recounted = ({ files }: KeptItem) => ({
  fileCount: files.length,
  fileSize: files.reduce((sum, { size }) => sum + size, 0),
  isItem: false,
  isNeeded: true,
});
