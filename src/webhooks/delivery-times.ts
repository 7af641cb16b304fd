import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { hours } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { waitBeforeTry } from './backoff.js';

@Injectable()
export class DeliveryTimes {
  constructor(
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  nextTryAt(triesMade: number): Date {
    return new Date(this.clock.nowMs() + waitBeforeTry(triesMade, this.config.webhooks.backoffBaseMs, Math.random()));
  }

  isDeadSince(failingSince: Date): boolean {
    const { pauseAfterHours } = this.config.webhooks;
    return pauseAfterHours > 0 && this.clock.nowMs() - failingSince.getTime() >= hours(pauseAfterHours);
  }
}
