import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Clock } from '../common/clock/clock.js';
import { seconds } from '../common/units/durations.js';

const EVERY_MS = seconds(10);
/** An answer that took longer tells too little about the moment at which it was given. */
const LONGEST_TRIP_MS = seconds(2);
/** A smaller difference is a measuring error. */
const TOLERANCE_MS = 100;
/**
 * A difference that is logged. With one so large, processes that use their machines' clocks would take each other's
 * leases.
 */
const NOTABLE_MS = seconds(5);

/**
 * Makes the process use the database's clock. The database compares leases, schedules and dates of all processes with
 * one another. So a machine whose clock is wrong must not fire a schedule early, or take over what another process
 * still holds.
 */
@Injectable()
export class DatabaseTime implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('database');
  private timer: NodeJS.Timeout | undefined;
  private follows = false;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  /** The clock is measured before anything that looks at the time begins its work. */
  async onModuleInit(): Promise<void> {
    await this.measure();
    this.timer = setInterval(() => {
      // While the database is away, the last measurement holds.
      this.measure().catch(() => undefined);
    }, EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async measure(): Promise<void> {
    const askedAt = performance.now();
    const { localTime } = (await this.connection.db?.admin().command({ hello: 1 })) as { localTime: Date };
    const tripMs = performance.now() - askedAt;
    const timeMs = localTime.getTime() + tripMs / 2;
    const offMs = timeMs - this.clock.nowMs();
    if (this.follows && (tripMs > LONGEST_TRIP_MS || Math.abs(offMs) <= tripMs / 2 + TOLERANCE_MS)) return;
    this.follows = this.clock.follow(timeMs, askedAt + tripMs);
    if (this.follows && Math.abs(offMs) > NOTABLE_MS)
      this.logger.warn({ event: 'clock_differs', offMs: Math.round(offMs) });
  }
}
