import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../../common/clock/clock.js';
import { BACKUP_STATE, BackupState } from './backup-state.schema.js';

/** What other rooms ask of backups. */
@Injectable()
export class BackupStateReads {
  constructor(
    @InjectModel(BackupState.name) private readonly states: Model<BackupState>,
    private readonly clock: Clock,
  ) {}

  /** Whether a backup copies objects now. It may need one that no document names any more. */
  async isRunning(): Promise<boolean> {
    const state = await this.read();
    return state !== null && state.leaseUntil > this.clock.now();
  }

  /** The moment that the last completed backup holds; null when there was none. */
  async lastTaken(): Promise<Date | null> {
    return (await this.read())?.lastTaken ?? null;
  }

  /** When a backup was last restored by schedule, whole and in agreement; null when that never was. */
  async lastRehearsed(): Promise<Date | null> {
    return (await this.read())?.lastRehearsed ?? null;
  }

  private async read(): Promise<BackupState | null> {
    return (await this.states.findOne({ _id: BACKUP_STATE }).lean().exec()) as BackupState | null;
  }
}
