import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { storedIn } from '../../database/schema-options.js';

/** The one document's id. */
export const BACKUP_STATE = 'backup';
/** No backup holds this collection: it tells of the database in use, not of the one that was backed up. */
export const BACKUP_STATE_COLLECTION = 'backup_state';

/** Whether a backup runs, and when the last one was completed. */
@Schema(storedIn(BACKUP_STATE_COLLECTION))
export class BackupState {
  @Prop({ type: String, required: true }) _id!: string;
  /** Until this moment a backup runs, and stored objects stay. */
  @Prop({ type: Date, required: true }) leaseUntil!: Date;
  @Prop({ type: String, default: null }) holder!: string | null;
  /** The moment that the last completed backup holds. */
  @Prop({ type: Date, default: null }) lastTaken?: Date | null;
  /** When a backup was last restored by schedule, whole and in agreement. */
  @Prop({ type: Date, default: null }) lastRehearsed?: Date | null;
  /**
   * How long the database kept snapshots before a backup made that longer, seconds. Null once it is as it was; a backup
   * that died left it longer.
   */
  @Prop({ type: Number, default: null }) windowBefore?: number | null;
}

export const BackupStateSchema = SchemaFactory.createForClass(BackupState);
