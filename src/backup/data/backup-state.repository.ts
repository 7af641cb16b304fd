import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { seconds } from '../../common/units/durations.js';
import { Leases, type Held, type Lease } from '../../database/leases.js';
import { BACKUP_STATE, BackupState } from './backup-state.schema.js';

/** A backup that dies holds deletions up for this long. */
const TERMS = { until: 'leaseUntil', holder: 'holder', lengthMs: seconds(30), beatMs: seconds(8) };

@Injectable()
export class BackupStateRepository {
  readonly leases: Leases<BackupState>;

  constructor(
    @InjectModel(BackupState.name) private readonly states: Model<BackupState>,
    clock: Clock,
  ) {
    this.leases = new Leases(states, TERMS, clock);
  }

  /** Claims the right to make a backup. @returns null while another one has it */
  claim(): Promise<Held<BackupState> | null> {
    return this.leases.claimOne(BACKUP_STATE, { orInsert: true });
  }

  /** The end of the lease of the backup that runs. */
  async until(): Promise<Date | null> {
    const state = (await this.states.findOne({ _id: BACKUP_STATE }).lean().exec()) as BackupState | null;
    return state?.leaseUntil ?? null;
  }

  /** @returns false when another backup has the lease */
  async keepWindow(lease: Lease, windowBefore: number | null): Promise<boolean> {
    return this.set(lease, { windowBefore });
  }

  /** @returns false when another backup has the lease */
  async completed(lease: Lease, lastTaken: Date): Promise<boolean> {
    return this.set(lease, { lastTaken });
  }

  async rehearsed(lastRehearsed: Date): Promise<void> {
    // The backup may have been made for another database, as after a move: then there is no state yet.
    const update = { $set: { lastRehearsed }, $setOnInsert: { leaseUntil: new Date(0) } };
    await this.states.updateOne({ _id: BACKUP_STATE }, update, { upsert: true }).exec();
  }

  private async set(lease: Lease, $set: Partial<BackupState>): Promise<boolean> {
    return (await this.states.updateOne(this.leases.proof(lease), { $set }).exec()).matchedCount === 1;
  }
}
