/** What the service writes to its log while something happens. */
export async function logOf(deed: () => Promise<void>): Promise<string> {
  const lines: string[] = [];
  const streams = [process.stderr, process.stdout] as const;
  const writes = streams.map((stream) => stream.write.bind(stream));
  for (const stream of streams) stream.write = ((text: string) => lines.push(String(text)) > 0) as typeof stream.write;
  try {
    await deed();
  } finally {
    streams.forEach((stream, n) => (stream.write = writes[n] as typeof stream.write));
  }
  return lines.join('');
}
