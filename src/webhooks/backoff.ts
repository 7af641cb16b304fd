/** Tries of one overall attempt (seed §8). */
export const TRIES_PER_ATTEMPT = 5;

/** Share of the wait that is random, so that failed notifications are not all retried at one moment (archive §11). */
const JITTER = 0.25;

/**
 * Wait before the next try, milliseconds. It doubles from `baseMs`, with up to 25 % on top.
 * @param triesMade 1..4
 * @param random 0..1
 */
export const waitBeforeTry = (triesMade: number, baseMs: number, random: number): number =>
  Math.round(baseMs * 2 ** (triesMade - 1) * (1 + JITTER * random));
