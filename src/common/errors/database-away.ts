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

/** Error codes of a server that is not (or no longer) the primary, or that is shutting down. */
const CODES: ReadonlySet<number> = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/**
 * Whether the request failed because the database is away or its primary is changing. The driver has already retried
 * what it can; the client may try again in a few seconds.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { name, code, cause } = error as Error & { code?: unknown };
  const isAway = NAMES.has(name) || (name.startsWith('Mongo') && typeof code === 'number' && CODES.has(code));
  return isAway || isDatabaseAway(cause);
}
