import { Injectable } from '@nestjs/common';
import { newId } from '../common/ids/uuid.js';
import type { Org } from '../orgs/data/org.schema.js';
import type { DeliveryTry } from './data/notification.schema.js';
import { exampleBody } from './events/webhook-event.js';
import { WEBHOOK_EVENTS, type WebhookEventType } from './events/webhook-events.js';
import { SigningSecrets } from './signing-secrets.js';
import { webhookUrlOf } from './webhook-url.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookUrlNotSet } from './webhooks.errors.js';

/** Tries receivers by an example of what they would be told. */
@Injectable()
export class ReceiverTest {
  constructor(
    private readonly sender: WebhookSender,
    private readonly secrets: SigningSecrets,
  ) {}

  /**
   * Sends one signed example, whose body says `test: true`, to the org's URL for an event. It is not tried again, is not
   * listed, and neither pauses nor resumes the receiver.
   * @throws WebhookUrlNotSet
   */
  async send(org: Org, name: WebhookEventType): Promise<{ success: boolean; made: DeliveryTry }> {
    const url = webhookUrlOf(org, name);
    const event = WEBHOOK_EVENTS.find((one) => one.name === name);
    if (!url || !event) throw new WebhookUrlNotSet();
    const body = { ...exampleBody(event, org._id), test: true };
    const receiver = { url, secrets: await this.secrets.of(org._id) };
    // The client's own time limit ends it.
    const { succeeded, made } = await this.sender.send(receiver, { _id: newId(), body }, new AbortController().signal);
    return { success: succeeded, made };
  }
}
