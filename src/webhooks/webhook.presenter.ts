import { isIP } from 'node:net';
import { wireTime, wireTimeOrNull, wireSecond } from '../common/validation/date-time.js';
import type { Endpoint } from './data/endpoint.schema.js';
import type { DeliveryTry, Notification } from './data/notification.schema.js';
import type { WebhookDeliveryTry, WebhookEndpoint, WebhookNotification } from './dto/webhooks.dto.js';
import type { WebhookEventType } from './events/webhook-events.js';

/** Matches an address with its port or brackets, but not the punctuation around it. */
const ADDRESS = /\[?[0-9a-f]*[.:][0-9a-f:.]+(?:%\w+)?\]?(?::\d+)?/gi;

function isAddress(text: string): boolean {
  const [bare = ''] = text.replace(/^\[/, '').split(/[\]%]/, 1);
  return [bare, bare.replace(/[.:]+$/, ''), bare.replace(/:\d+$/, '')].some((one) => isIP(one) !== 0);
}

/** Takes IP addresses out of the reason for a missing answer: owners of orgs need not know the operator's network. */
const withoutAddresses = (reason: string): string =>
  reason.replace(ADDRESS, (found) => (isAddress(found) ? `(address)${/[.:]*$/.exec(found)?.[0] ?? ''}` : found));

const toTry = ({ at, status, latencyMs, answer }: DeliveryTry): WebhookDeliveryTry => ({
  at: wireTime(at),
  status,
  latencyMs,
  answer: status === null ? withoutAddresses(answer) : answer,
});

export const toNotification = (stored: Notification): WebhookNotification => ({
  id: stored._id,
  event: stored.event as WebhookEventType,
  oid: stored.oid,
  body: stored.body as WebhookNotification['body'],
  success: stored.success,
  attempts: stored.attempts,
  created: wireSecond(stored.created),
  lastAttempted: wireTimeOrNull(stored.lastAttempted),
  tries: (stored.tries ?? []).map(toTry),
});

export const toEndpoint = (
  event: WebhookEventType,
  url: string | null,
  known: Endpoint | undefined,
): WebhookEndpoint => ({
  event,
  url,
  paused: known?.paused ?? false,
  failingSince: wireTimeOrNull(known?.failingSince),
  lastSuccess: wireTimeOrNull(known?.lastSuccess),
});
