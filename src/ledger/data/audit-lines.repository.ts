import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage, QueryFilter } from 'mongoose';
import { AuditEvent } from '../../audit/data/audit-event.schema.js';
import { aggregateRows, findRows } from '../../database/read-rows.js';
import { decode, uuid } from '../../database/uuid-codec.js';

const IN_ORDER = { oid: 1, at: 1, _id: 1 } as const;
const NIL_OID = '00000000-0000-0000-0000-000000000000';
const CUT_AT_ONCE = 2_000;

/** From the first moment up to and without the second. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/**
 * The entries of the audit log as lines of closed days: read in order, and cut at the end of retention. Nothing here
 * changes a line. @param oid of every method: the org, or null for the entries that belong to none
 */
@Injectable()
export class AuditLinesRepository {
  constructor(@InjectModel(AuditEvent.name) private readonly events: Model<AuditEvent>) {}

  /** When the first entry from this moment on was written; null: there is none. */
  async firstFrom(oid: string | null, from: Date): Promise<Date | null> {
    const filter = { oid, at: { $gte: from } } as QueryFilter<AuditEvent>;
    const [first] = await findRows(this.events, filter, {
      ...{ sort: IN_ORDER, limit: 1, hint: IN_ORDER, projection: { at: 1 } },
    });
    return first?.at ?? null;
  }

  /** Whether something that was begun in this time is still under way. */
  async isUnsettled(oid: string | null, span: Span): Promise<boolean> {
    const filter = { ...within(oid, span), outcome: 'begun' } as QueryFilter<AuditEvent>;
    const options = { limit: 1, hint: IN_ORDER, projection: { _id: 1 } } as const;
    return (await findRows(this.events, filter, options)).length > 0;
  }

  /** The lines of a time, in their order. */
  async *of(oid: string | null, span: Span): AsyncGenerator<AuditEvent> {
    const lines = this.events.find(within(oid, span)).sort(IN_ORDER).hint(IN_ORDER);
    for await (const line of lines.lean().cursor({ batchSize: 1000 })) yield decode(line as AuditEvent);
  }

  /** The orgs that have entries, null for those without an org. It reads one key of the index for each. */
  async *oids(): AsyncGenerator<string | null> {
    if ((await this.next({ oid: null })).length > 0) yield null;
    for (let after: object = { $gte: uuid(NIL_OID) }; ;) {
      const [next] = await this.next({ oid: after });
      if (!next?.oid) return;
      yield next.oid;
      after = { $gt: uuid(next.oid) };
    }
  }

  /** Deletes the lines before a moment. @returns how many they were */
  async cutBefore(oid: string | null, to: Date): Promise<number> {
    for (let cut = 0; ;) {
      const filter = { oid, at: { $lt: to } } as QueryFilter<AuditEvent>;
      const some = await findRows(this.events, filter, {
        ...{ sort: IN_ORDER, limit: CUT_AT_ONCE, hint: IN_ORDER, projection: { _id: 1 } },
      });
      if (some.length === 0) return cut;
      await this.events.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } }).exec();
      cut += some.length;
    }
  }

  private next($match: object): Promise<Pick<AuditEvent, 'oid'>[]> {
    const stages: PipelineStage[] = [
      { $match },
      { $sort: { oid: 1 } },
      { $limit: 1 },
      { $project: { oid: 1, _id: 0 } },
    ];
    return aggregateRows(this.events, stages, { hint: IN_ORDER, atMost: 1 });
  }
}

const within = (oid: string | null, { from, to }: Span): QueryFilter<AuditEvent> =>
  ({ oid, at: { $gte: from, $lt: to } }) as QueryFilter<AuditEvent>;
