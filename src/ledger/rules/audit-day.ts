import { createHash } from 'node:crypto';
import { days } from '../../common/units/durations.js';
import { chainOf } from '../data/chain.facts.js';

/** The UTC day of a moment, `2026-11-25`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The first moment of a day. */
export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** The first moment after a day. */
export const endOf = (day: string): Date => new Date(startOf(day).getTime() + days(1));

/** Name of the object with the lines of a closed day. */
export const dayFileOf = (oid: string | null, day: string): string => `${chainOf(oid)}/audit/${day}.jsonl.gz`;

export interface ChainedDay {
  /** Digest of the closed day before, in hex. */
  readonly previous: string;
  readonly day: string;
  /** Number of lines. */
  readonly count: number;
  /** SHA-256 of the file, in hex. */
  readonly sha256: string;
}

/** Digest of a closed day: SHA-256 of four lines of text, in hex. Whoever has one trusts all days before it. */
export const digestOf = ({ previous, day, count, sha256 }: ChainedDay): string =>
  createHash('sha256')
    .update(`${previous}\n${day}\n${String(count)}\n${sha256}\n`)
    .digest('hex');
