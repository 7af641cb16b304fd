/** The driver's errors when no server answers or the connection breaks. */
const NAMES: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
]);

/** Of a server that is not, or not any more, the one that takes writes, or that is about to end. */
const CODES: ReadonlySet<number> = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/**
 * Whether the database, and not the request, is the reason: it is away, or its primary changes. What the driver tries
 * again by itself was tried again already; the client may do so in a few seconds.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code, cause } = error as Error & { code?: unknown };
  const isAway = NAMES.has(name) || (name.startsWith('Mongo') && typeof code === 'number' && CODES.has(code));
  return isAway || isDatabaseAway(cause);
}
