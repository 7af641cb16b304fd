import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { days } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { dayOf } from './rules/audit-day.js';

/** How long days are kept. */
@Injectable()
export class RetentionTime {
  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** The first day that is kept; null: all are. */
  firstKept(): string | null {
    const { retentionDays } = this.config.audit;
    return retentionDays === 0 ? null : dayOf(new Date(this.clock.nowMs() - days(retentionDays)));
  }
}
