import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { seconds } from '../common/units/durations.js';
import { DomainEvents } from './domain-events.js';

@Injectable()
export class EventsSchedule {
  constructor(private readonly events: DomainEvents) {}

  @Interval(seconds(5))
  async recover(): Promise<void> {
    await this.events.recover();
  }
}
