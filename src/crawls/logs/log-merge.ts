/** A line of a crawler's log file. Contract: crawling §14.6. */
export interface ReadLogLine {
  readonly timestamp: string;
  readonly logLevel: string;
  readonly context: string;
  readonly message: string;
  readonly details: unknown;
}

/** Reads a log line. Null for a text that is none. */
export function parseLogLine(text: string): ReadLogLine | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { timestamp, logLevel, context, message, details } = value as Record<string, unknown>;
  if (typeof timestamp !== 'string') return null;
  return {
    timestamp,
    logLevel: textOf(logLevel),
    context: textOf(context),
    message: textOf(message),
    details: details ?? {},
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

interface Head {
  readonly line: ReadLogLine;
  readonly rest: AsyncIterator<ReadLogLine>;
}

/**
 * Merges logs that are each in order, and holds one line of each. Timestamps are ISO 8601 in UTC and compare as text.
 */
export async function* mergeByTime(sources: readonly AsyncIterable<ReadLogLine>[]): AsyncGenerator<ReadLogLine> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  try {
    let heads: Head[] = [];
    for (const rest of iterators) heads = await withNext(heads, rest);
    while (heads.length > 0) {
      const first = heads.reduce((a, b) => (b.line.timestamp < a.line.timestamp ? b : a));
      yield first.line;
      heads = await withNext(
        heads.filter((head) => head !== first),
        first.rest,
      );
    }
  } finally {
    // The files are closed also when a reader leaves early.
    for (const iterator of iterators) await iterator.return?.();
  }
}

async function withNext(heads: Head[], rest: AsyncIterator<ReadLogLine>): Promise<Head[]> {
  const next = await rest.next();
  return next.done ? heads : [...heads, { line: next.value, rest }];
}
