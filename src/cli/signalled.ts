const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Does work that a signal to the process cuts short. A second signal ends the process at once. */
export async function signalled<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const leave = (): void => stop.abort(new Error('The command was cut short.'));
  for (const signal of SIGNALS) process.once(signal, leave);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave);
  }
}
