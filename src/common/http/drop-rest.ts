import type { IncomingMessage } from 'node:http';

/** Reads what is left of a body and drops it, or the connection would be stuck for the client's next request. */
export function dropRest(request: IncomingMessage): void {
  request.unpipe();
  // Whoever read the body may have stopped between two chunks, and its listener would keep the stream from flowing; to
  // remove none would stop one that flows already.
  for (const event of ['readable', 'data']) if (request.listenerCount(event) > 0) request.removeAllListeners(event);
  request.resume();
}
