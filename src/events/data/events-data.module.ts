import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { EventsRepository } from './events.repository.js';
import { StoredEvent, StoredEventSchema } from './stored-event.schema.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: StoredEvent.name, schema: StoredEventSchema }])],
  providers: [EventsRepository],
  exports: [EventsRepository],
})
export class EventsDataModule {}
