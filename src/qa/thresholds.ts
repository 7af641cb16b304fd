import type { Bucket } from './data/qa-stats.queries.js';
import { InvalidThresholds, MissingThresholds } from './qa.errors.js';

/** Above every score, so that 1 falls into the last bucket. */
const BEYOND_ONE = 1.1;

const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Bucket boundaries from a comma list of scores: ascending, from 0, closed by 1.1, each once. Contract: crawling §8.2.
 * @throws MissingThresholds, InvalidThresholds for a text that is no number within 0..1
 */
export function boundariesOf(text: string): number[] {
  if (text.trim() === '') throw new MissingThresholds();
  const given = text.split(',').map((part) => part.trim());
  if (!given.every((part) => FLOAT.test(part))) throw new InvalidThresholds();
  const scores = given.map(Number);
  if (scores.some((score) => score < 0 || score > 1)) throw new InvalidThresholds();
  return [...new Set([0, ...scores, BEYOND_ONE])].sort((a, b) => a - b);
}

/** Formats a float like Python: `0.0`, `0.7`, `1.0`. */
export const boundaryText = (boundary: number): string =>
  Number.isInteger(boundary) ? `${boundary}.0` : String(boundary);

export const NO_DATA = 'No data';

/** All buckets below 1, then the one from 1 if it has pages, then the pages without data. */
export function fillBuckets(
  boundaries: readonly number[],
  found: readonly Bucket[],
): { lowerBoundary: string; count: number }[] {
  const counts = new Map(found.map(({ from, count }) => [from, count]));
  const scored = boundaries
    .filter((boundary) => boundary < 1 || (boundary === 1 && (counts.get(1) ?? 0) > 0))
    .map((boundary) => ({ lowerBoundary: boundaryText(boundary), count: counts.get(boundary) ?? 0 }));
  const without = counts.get(null) ?? 0;
  return without > 0 ? [...scored, { lowerBoundary: NO_DATA, count: without }] : scored;
}
