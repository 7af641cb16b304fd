import { Injectable } from '@nestjs/common';
import type { DomainEvent, OrgFact } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { toldOf } from './events/webhook-event.js';
import { WEBHOOK_EVENTS } from './events/webhook-events.js';
import { WebhookRecorder } from './webhook-recorder.js';

const FACTS = [...new Set(WEBHOOK_EVENTS.flatMap(({ facts }) => Object.keys(facts) as OrgFact[]))];

/** Records notifications for domain facts, as the list of events says. */
@Injectable()
export class WebhookListeners {
  constructor(private readonly recorder: WebhookRecorder) {}

  @OnFact(FACTS, 'webhooks', { inOrder: true })
  async tell(fact: DomainEvent<OrgFact>): Promise<void> {
    for (const event of WEBHOOK_EVENTS)
      for (const build of toldOf(event, fact)) await this.recorder.record(event, fact, build);
  }
}
