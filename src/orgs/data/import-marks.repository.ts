import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { minutes, seconds } from '../../common/units/durations.js';
import { Leases, type Lease } from '../../database/leases.js';
import { ImportMark } from './import-mark.schema.js';

/**
 * The lease of an import is renewed while its process lives, however slowly the export arrives. A process that dies
 * holds its imports for the rest of the lease.
 */
const TERMS = { until: 'leaseUntil', holder: 'owner', lengthMs: minutes(1), beatMs: seconds(15) };

/** Stores which process imports which org. There is one mark per import, held by lease. */
@Injectable()
export class ImportMarksRepository {
  readonly leases: Leases<ImportMark>;

  constructor(
    @InjectModel(ImportMark.name) private readonly marks: Model<ImportMark>,
    clock: Clock,
  ) {
    this.leases = new Leases(marks, TERMS, clock);
  }

  /** Claims the import of an org. @returns null while another import holds the org */
  async take(oid: string): Promise<Lease | null> {
    return (await this.leases.claimOne(oid, { orInsert: true }))?.lease ?? null;
  }

  async remove(lease: Lease): Promise<void> {
    await this.marks.deleteOne(this.leases.proof(lease)).exec();
    this.leases.letGo(lease);
  }
}
