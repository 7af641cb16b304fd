/** Longest line that is read; longer ones are skipped. Page lines may carry the page's text. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The lines of a stream of UTF-8 text, without their ends, with memory bounded by `maxLineBytes`. Longer lines are left
 * out.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes = MAX_LINE_BYTES,
  encoding: 'utf8' | 'latin1' = 'utf8',
): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (tail: Buffer): string | null => {
    const bytes = parts.length > 0 ? Buffer.concat([...parts, tail]) : tail;
    const line = length + tail.length > maxLineBytes ? null : bytes.toString(encoding);
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = take(chunk.subarray(start, end));
      if (line !== null) yield line.endsWith('\r') ? line.slice(0, -1) : line;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    length += rest.length;
    if (length <= maxLineBytes) parts.push(rest);
    else parts = [];
  }
  const last = take(Buffer.alloc(0));
  if (last !== null && last !== '') yield last;
}

/** The JSON objects among the lines; other lines are skipped. */
export async function* readJsonObjects(chunks: AsyncIterable<Buffer>): AsyncGenerator<Record<string, unknown>> {
  for await (const line of readLines(chunks)) {
    const value = parseJson(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) yield value as Record<string, unknown>;
  }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
