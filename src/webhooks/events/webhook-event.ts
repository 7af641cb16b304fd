import type { Type } from '@nestjs/common';
import { Str } from '../../common/validation/fields.js';
import type { DomainEvent, EventPayloads, OrgFact } from '../../events/event-types.js';
import type { Org } from '../../orgs/data/org.schema.js';
import type { NotificationBody } from '../data/notification.schema.js';
import type { WebhookBodies } from '../webhook-bodies.js';

/** The fields of every body; each body adds its own `event`. */
export abstract class WebhookBody {
  /** Id of the org. */
  @Str() orgId!: string;
}

/** The fields of a body besides org and event. */
export type ContentOf<B> = B extends unknown ? Omit<B, 'orgId' | 'event'> : never;

/** Builds a body; called only when the org has a receiver. */
export type Build<B> = (org: Org, bodies: WebhookBodies) => ContentOf<B> | Promise<ContentOf<B>>;

/** What receivers are told about one event, and when. Contract: archive §11. */
export interface WebhookEvent<B extends NotificationBody> {
  readonly name: B['event'];
  readonly body: Type<B>;
  /** What a receiver could be told; for the documentation and for tests of receivers. */
  readonly example: ContentOf<B>;
  /** The domain facts that cause this event, and the notifications that follow from each. */
  readonly facts: { readonly [K in OrgFact]?: (payload: EventPayloads[K]) => readonly Build<B>[] };
  /** True: the item's first notification of this event is its only one. */
  readonly oncePerItem?: boolean;
  /** Tells several notifications of one fact apart. */
  tellsApart?(content: ContentOf<B>): string;
}

/** Infers the type of the body from its class. */
export const webhookEvent = <B extends NotificationBody>(event: WebhookEvent<B>): WebhookEvent<B> => event;

export const toldOf = <B extends NotificationBody, K extends OrgFact>(
  { facts }: WebhookEvent<B>,
  { type, payload }: DomainEvent<K>,
): readonly Build<B>[] => facts[type]?.(payload) ?? [];

/** The whole body of the example. */
export const exampleBody = <B extends NotificationBody>({ name, example }: WebhookEvent<B>, orgId: string): B =>
  ({ orgId, event: name, ...example }) as unknown as B;
