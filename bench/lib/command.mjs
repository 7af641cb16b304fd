/** What every bench is as a command: its help and options, a folder of its own, and how it tells figures. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Prints the help and ends where it is asked for. */
export function helpOr(usage) {
  if (!process.argv.includes('--help')) return;
  print(usage.trim());
  process.exit(0);
}

/** The value of `--name value`, or the default. */
export function option(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
}

/** A temporary folder that is deleted with the process. */
export function scratchDir() {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'muniment-bench-'));
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const print = (line) => void process.stdout.write(`${line}\n`);

/** Stands beside each figure: on a busy machine it is worth less. */
export const load = () => `load average ${os.loadavg()[0].toFixed(1)} on ${os.cpus().length} cores`;

export const ms = (value) => `${value.toFixed(1)} ms`;

/** The value that this share of the ascending values does not exceed (nearest rank). */
export const quantile = (sorted, share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];

export const ascending = (numbers) => [...numbers].sort((a, b) => a - b);

export const median = (numbers) => quantile(ascending(numbers), 0.5);

/** How fast so many bytes went. @param seconds of each time */
export function rates(bytes, seconds) {
  const all = seconds.map((each) => bytes / 1e6 / each);
  const shown = (rate) => `${rate.toFixed(0)} MB/s`;
  return `median ${shown(median(all))}, best ${shown(Math.max(...all))}, worst ${shown(Math.min(...all))}`;
}
