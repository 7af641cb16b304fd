import type { OrgChange } from '../data/org-change.facts.js';

/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 2000;

/** One message of the stream, as the HTML standard writes server-sent events. */
const event = (name: string, at: bigint, data: unknown): string =>
  `event: ${name}\nid: ${String(at)}\ndata: ${JSON.stringify(data)}\n\n`;

/** The first message: the client is told of all that happens from `at` on. */
export const readyText = (at: bigint): string => `retry: ${String(RETRY_MS)}\n${event('ready', at, {})}`;

export const changeText = ({ kind, at, data }: OrgChange): string => event(kind, at, data);

/** Says nothing: it tells proxies and clients that the connection lives. */
export const ALIVE = ':\n\n';

/** @returns null where the client has not listened before; what the service never sent is longer ago than it knows */
export function sinceOf(lastEventId: string | undefined): bigint | null {
  if (lastEventId === undefined || lastEventId === '') return null;
  return /^\d{1,19}$/.test(lastEventId) ? BigInt(lastEventId) : 0n;
}
