import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DeliveryWorker } from './delivery-worker.js';

/** Tries that are due later than at once: further tries, and what a dead process left behind. */
@Injectable()
export class WebhooksSchedule {
  constructor(private readonly worker: DeliveryWorker) {}

  @Interval(500)
  async deliver(): Promise<void> {
    await this.worker.look();
  }
}
