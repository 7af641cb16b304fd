import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { storedIn } from '../../database/schema-options.js';

/** A challenge that was answered, kept until it would be over: an answer that somebody saw is good for nothing. */
@Schema(storedIn('used_challenges'))
export class UsedChallenge {
  @Prop({ type: String, required: true }) _id!: string;
  /** When the challenge ends by itself. */
  @Prop({ type: Date, required: true }) until!: Date;
}

export const UsedChallengeSchema = SchemaFactory.createForClass(UsedChallenge);
UsedChallengeSchema.index({ until: 1 }, { expireAfterSeconds: 0 });
