import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { storedIn } from '../../database/schema-options.js';

/** Seconds for which a count of mails lasts. */
export const MAIL_COUNT_SECONDS = 3600;

/** Number of mails of one kind to one address in the hour since the first of them. */
@Schema(storedIn('mail_counts'))
export class MailCount {
  /** `<template>:<address in lower case>` */
  @Prop({ type: String, required: true }) _id!: string;
  @Prop({ type: Date, required: true }) since!: Date;
  @Prop({ type: Number, required: true }) count!: number;
}

export const MailCountSchema = SchemaFactory.createForClass(MailCount);
MailCountSchema.index({ since: 1 }, { expireAfterSeconds: MAIL_COUNT_SECONDS });
