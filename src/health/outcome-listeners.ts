import { Injectable } from '@nestjs/common';
import { Outcomes } from '../common/metrics/outcomes.js';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';

/** Counts what facts tell of. */
@Injectable()
export class OutcomeListeners {
  constructor(private readonly outcomes: Outcomes) {}

  @OnFact('crawl.finished', 'health.outcomes')
  crawlEnded({ payload }: DomainEvent<'crawl.finished'>): Promise<void> {
    return Promise.resolve(this.outcomes.crawlEnded(payload.state));
  }

  @OnFact('qa.finished', 'health.outcomes')
  qaRunEnded({ payload }: DomainEvent<'qa.finished'>): Promise<void> {
    return Promise.resolve(this.outcomes.qaRunEnded(payload.state));
  }

  @OnFact('upload.finished', 'health.outcomes')
  uploadEnded({ payload }: DomainEvent<'upload.finished'>): Promise<void> {
    return Promise.resolve(this.outcomes.uploadEnded(payload.state));
  }
}
