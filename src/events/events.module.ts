import { Global, Module } from '@nestjs/common';
import { modelsOf } from '../database/data-module.js';
import { EventsRepository } from './data/events.repository.js';
import { StoredEventSchema } from './data/stored-event.schema.js';
import { DomainEvents } from './domain-events.js';

@Global()
@Module({
  imports: [modelsOf({ StoredEvent: StoredEventSchema })],
  providers: [EventsRepository, DomainEvents],
  exports: [DomainEvents],
})
export class EventsModule {}
