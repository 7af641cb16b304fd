import { Global, Module } from '@nestjs/common';
import { EventsDataModule } from './data/events-data.module.js';
import { DomainEvents } from './domain-events.js';
import { EventsSchedule } from './events.schedule.js';

@Global()
@Module({ imports: [EventsDataModule], providers: [DomainEvents, EventsSchedule], exports: [DomainEvents] })
export class EventsModule {}
