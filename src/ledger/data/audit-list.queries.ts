import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import mongoose, { type Model, type PipelineStage } from 'mongoose';
import { AuditEvent } from '../../audit/data/audit-event.schema.js';
import { aggregateRows } from '../../database/read-rows.js';
import { uuid } from '../../database/uuid-codec.js';
import type { AuditPlace } from './chain.facts.js';

const { ObjectId } = mongoose.mongo;

const NEWEST = { at: -1, _id: -1 } as const;
const OF_ORG = { oid: 1, at: 1, _id: 1 } as const;
const OF_ORG_MARKED = { oid: 1, marks: 1, at: 1, _id: 1 } as const;
const OF_ALL = { at: 1, _id: 1 } as const;

/**
 * Most entries that one page looks at to find those that match. A page that has not found enough by then ends there, and
 * its cursor goes on.
 */
export const MOST_LOOKED_AT = 20_000;

/** Which entries: all that match every given field. */
export interface AuditFilter {
  /** Marks as the entries have them, the rarest first, since the first is looked up. */
  readonly marks: readonly string[];
  readonly outcome: AuditEvent['outcome'] | null;
  readonly from: Date | null;
  /** The first moment that does not belong to it. */
  readonly to: Date | null;
}

export interface AuditPage {
  readonly rows: AuditEvent[];
  /** Where the next page begins; null: there is none. */
  readonly next: AuditPlace | null;
}

type HintedBy = typeof OF_ORG | typeof OF_ORG_MARKED | typeof OF_ALL;

/** Lists of entries, newest first, each page along one index. */
@Injectable()
export class AuditListQueries {
  constructor(@InjectModel(AuditEvent.name) private readonly events: Model<AuditEvent>) {}

  page(oid: string, filter: AuditFilter, after: AuditPlace | null, limit: number): Promise<AuditPage> {
    const [mark, ...others] = filter.marks;
    const where = { oid: uuid(oid), ...(mark === undefined ? {} : { marks: mark }) };
    const hint = mark === undefined ? OF_ORG : OF_ORG_MARKED;
    return this.read({ ...where, ...during(filter, after) }, residual(filter, others), hint, limit);
  }

  /** Entries of all orgs and of none. No index has their marks. */
  pageAcrossOrgs(filter: AuditFilter, after: AuditPlace | null, limit: number): Promise<AuditPage> {
    return this.read(during(filter, after), residual(filter, filter.marks), OF_ALL, limit);
  }

  /** @param rest what is looked at in the entries that the index finds; null: nothing */
  private async read(found: object, rest: object | null, hint: HintedBy, limit: number): Promise<AuditPage> {
    const bound: PipelineStage[] = [{ $match: found }, { $sort: NEWEST }];
    const stages: PipelineStage[] = rest
      ? [...bound, { $limit: MOST_LOOKED_AT }, { $match: rest }, { $limit: limit + 1 }]
      : [...bound, { $limit: limit + 1 }];
    const rows = await aggregateRows<AuditEvent, AuditEvent>(this.events, stages, {
      ...{ hint, atMost: Math.min(limit + 1, 1000) },
    });
    const last = rows[limit - 1];
    if (rows.length > limit && last) return { rows: rows.slice(0, limit), next: placeAt(last) };
    if (!rest) return { rows, next: null };
    const [reached] = await aggregateRows<AuditEvent, AuditEvent>(
      this.events,
      [...bound, { $skip: MOST_LOOKED_AT - 1 }, { $limit: 1 }, { $project: { at: 1 } }],
      { hint, atMost: 1 },
    );
    return { rows, next: reached ? placeAt(reached) : null };
  }
}

const placeAt = ({ at, _id }: AuditEvent): AuditPlace => ({ at, id: String(_id) });

function during({ from, to }: AuditFilter, after: AuditPlace | null): object {
  const at = {
    ...(from ? { $gte: from } : {}),
    ...(to ? { $lt: to } : {}),
    ...(after ? { $lte: after.at } : {}),
  };
  const behind = after && { $or: [{ at: { $lt: after.at } }, { _id: { $lt: new ObjectId(after.id) } }] };
  return { ...(Object.keys(at).length > 0 ? { at } : {}), ...behind };
}

function residual({ outcome }: AuditFilter, marks: readonly string[]): object | null {
  if (outcome === null && marks.length === 0) return null;
  return { ...(marks.length > 0 ? { marks: { $all: [...marks] } } : {}), ...(outcome ? { outcome } : {}) };
}
