import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { MailCounts } from './mail-counts.repository.js';
import { MailCount, MailCountSchema } from './mail-counts.schema.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: MailCount.name, schema: MailCountSchema }])],
  providers: [MailCounts],
  exports: [MailCounts],
})
export class MailDataModule {}
