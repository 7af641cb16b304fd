import { Injectable } from '@nestjs/common';
import { Coalesced } from '../common/concurrency/coalesced.js';
import { EndpointsRepository } from './data/endpoints.repository.js';
import { NotificationsRepository, type Outcome } from './data/notifications.repository.js';

export interface EndpointSuccess {
  readonly oid: string;
  readonly event: string;
  readonly at: Date;
}

interface Result {
  readonly outcome: Outcome;
  readonly success: EndpointSuccess | null;
}

/** Writes the results of tries. Results that arrive during a write go together into the next one. */
@Injectable()
export class DeliveryResults {
  private waiting: Result[] = [];
  private readonly writes = new Coalesced(() => this.write());

  constructor(
    private readonly notifications: NotificationsRepository,
    private readonly endpoints: EndpointsRepository,
  ) {}

  /** Resolves when the result is written. @param success the endpoint that took the notification, if any did */
  async add(outcome: Outcome, success: EndpointSuccess | null = null): Promise<void> {
    this.waiting.push({ outcome, success });
    await this.writes.run();
  }

  private async write(): Promise<void> {
    const results = this.waiting;
    this.waiting = [];
    if (results.length === 0) return;
    await this.notifications.record(results.map(({ outcome }) => outcome));
    // The latest success of each endpoint.
    const successes = new Map<string, EndpointSuccess>();
    for (const { success } of results) if (success) successes.set(`${success.oid} ${success.event}`, success);
    if (successes.size > 0) await this.endpoints.succeeded([...successes.values()]);
  }
}
