/** A bound for waiting on something else; does not keep the process alive. */
export function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
