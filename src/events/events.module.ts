import { Global, Module } from '@nestjs/common';
import { EventsDataModule } from './data/events-data.module.js';
import { DomainEvents } from './domain-events.js';

@Global()
@Module({ imports: [EventsDataModule], providers: [DomainEvents], exports: [DomainEvents] })
export class EventsModule {}
