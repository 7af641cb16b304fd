import type { IncomingMessage } from 'node:http';

/** Reads the rest of a body and drops it. Otherwise the connection would be stuck at the client's next request. */
export function dropRest(request: IncomingMessage): void {
  request.unpipe();
  // The listener of a reader that stopped between two chunks would keep the stream from flowing. With no listener,
  // removing any would stop a stream that flows already.
  for (const event of ['readable', 'data']) if (request.listenerCount(event) > 0) request.removeAllListeners(event);
  request.resume();
}
