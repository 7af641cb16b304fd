/** The name, with a number added when a file of the run has it already. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const stem = name.slice(0, -'.wacz'.length);
  for (let n = 1; ; n++) {
    // The part between the last dash and the dot groups the log files of one instance, so it stays last.
    const dash = stem.lastIndexOf('-');
    const next = dash > 0 ? `${stem.slice(0, dash)}-${n}${stem.slice(dash)}.wacz` : `${stem}-${n}.wacz`;
    if (!taken.has(next)) return next;
  }
}
