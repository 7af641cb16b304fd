import { randomInt } from 'node:crypto';

/** `npm test -- sweep` sets it: the sweeps run in their full size. */
const isFull = process.env['SWEEP'] === 'full';

/** How much a sweep does: little within the whole run, all of it under `npm test -- sweep`. */
export const sweepSize = (small: number, full: number): number => (isFull ? full : small);

/** How many times a sweep kills: SOAK_KILLS, for a night of them, or by the size of the sweeps. */
export const killsOf = (small: number, full: number): number =>
  Number(process.env['SOAK_KILLS'] ?? sweepSize(small, full));

/** What everything random of this run comes from: SWEEP_SEED, or a new one. */
export const SWEEP_SEED = Number(process.env['SWEEP_SEED'] ?? randomInt(2 ** 31));

/** Prints a figure of a sweep: jest's own report has none. */
export function sayFigures(text: string): void {
  process.stderr.write(`sweep: ${text} (SWEEP_SEED=${String(SWEEP_SEED)})\n`);
}
