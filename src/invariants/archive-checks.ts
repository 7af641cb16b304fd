import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { ArchiveLook, type ArchivesRead } from './archive-look.js';
import { ArchiveReader } from './archive-reader.js';
import type { ReportViolation } from './counter-checks.js';
import { DependenciesQueries } from './data/dependencies.queries.js';
import { RecountsQueries } from './data/recounts.queries.js';

/** Digests that are held together. Twice as many may be for a while, of 23 to 46 bytes each: 140 MB at worst. */
const MOST_DIGESTS = 1_500_000;
const PAUSE_MS = 300;

export interface ArchiveCheckOptions {
  /** Called after each index. */
  readonly progress?: ((read: ArchivesRead) => void) | undefined;
  /** Digests that are held together. */
  readonly mostDigests?: number;
}

/**
 * Checks that what archives refer to can be reached, by what they say themselves (ADR 0068): that each WACZ which one
 * names is a file of an item or a kept one, of the size and hash that it names, and that the database knows the
 * requirement; and that each revisit has its original in the item's own archives or in those of the items that it
 * requires. Running crawls, and what was taken down, are left out.
 */
@Injectable()
export class ArchiveChecks {
  constructor(
    private readonly queries: DependenciesQueries,
    private readonly recounts: RecountsQueries,
    private readonly orgs: OrgsRepository,
    private readonly reader: ArchiveReader,
  ) {}

  async check(
    found: ReportViolation,
    { progress, mostDigests = MOST_DIGESTS }: ArchiveCheckOptions = {},
  ): Promise<ArchivesRead> {
    const read = { indexes: 0, lines: 0 };
    const told = new Set<string>();
    const onRead = (lines: number): void => {
      read.indexes += 1;
      read.lines += lines;
      progress?.(read);
    };
    for await (const oids of this.recounts.orgIds())
      for (const org of await this.orgs.findByIds(oids))
        for await (const ids of this.deduplicated(org._id)) {
          const looking = (): ArchiveLook => new ArchiveLook(org, this.queries, this.reader, mostDigests, onRead);
          for (const violation of await this.lookTwice(looking, ids)) {
            // An archive that many refer to is found with each batch of them.
            if (told.has(violation)) continue;
            told.add(violation);
            found(JSON.parse(violation) as Parameters<ReportViolation>[0]);
          }
        }
    return read;
  }

  /** Ids of items whose archives may refer to others. */
  private async *deduplicated(oid: Org['_id']): AsyncGenerator<string[]> {
    yield* this.queries.requiringIds(oid);
    yield* this.queries.deduplicatedIds(oid);
  }

  /** Looks at what is faulty again: while the service works, an item may have gone since it was listed. */
  private async lookTwice(looking: () => ArchiveLook, ids: readonly string[]): Promise<string[]> {
    const first = await looking().at(ids);
    if (first.length === 0) return [];
    await sleep(PAUSE_MS);
    const second = await looking().at([...new Set(first.map(({ itemId }) => itemId))]);
    const before = new Set(first.map(({ violation }) => JSON.stringify(violation)));
    return [...new Set(second.map(({ violation }) => JSON.stringify(violation)))].filter((one) => before.has(one));
  }
}
