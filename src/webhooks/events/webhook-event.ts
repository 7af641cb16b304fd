import type { Type } from '@nestjs/common';
import { Str } from '../../common/validation/fields.js';
import type { DomainEvent, EventPayloads, OrgFact } from '../../events/event-types.js';
import type { Org } from '../../orgs/data/org.schema.js';
import type { NotificationBody } from '../data/notification.schema.js';
import type { WebhookBodies } from '../webhook-bodies.js';

/** What every body has; each adds its own `event`. */
export abstract class WebhookBody {
  @Str() orgId!: string;
}

/** What a body says beside org and event. */
export type ContentOf<B> = B extends unknown ? Omit<B, 'orgId' | 'event'> : never;

/** Called only when the org has a receiver. */
export type Build<B> = (org: Org, bodies: WebhookBodies) => ContentOf<B> | Promise<ContentOf<B>>;

/** What receivers are told of one event, and when. Contract: archive §11. */
export interface WebhookEvent<B extends NotificationBody> {
  readonly name: B['event'];
  readonly body: Type<B>;
  /** The domain facts that it is told of, with the notifications that follow from one. */
  readonly facts: { readonly [K in OrgFact]?: (payload: EventPayloads[K]) => readonly Build<B>[] };
  /** The item's first notification of this event is its only one. */
  readonly oncePerItem?: boolean;
  /** Where one fact is told as several notifications, what tells them apart. */
  tellsApart?(content: ContentOf<B>): string;
}

/** Lets the body's class say what the rest has to fit. */
export const webhookEvent = <B extends NotificationBody>(event: WebhookEvent<B>): WebhookEvent<B> => event;

export const toldOf = <B extends NotificationBody, K extends OrgFact>(
  { facts }: WebhookEvent<B>,
  { type, payload }: DomainEvent<K>,
): readonly Build<B>[] => facts[type]?.(payload) ?? [];
