import { mongo } from 'mongoose';

/** Bound above the number of facts that are recorded within a second. */
const PER_SECOND = 2 ** 20;

/** A placeholder. The database turns it into its own next timestamp when it stores it as a field of a new document. */
export const nextTimestamp = (): mongo.Timestamp => new mongo.Timestamp({ t: 0, i: 0 });

/**
 * Position of a fact among all facts, as a number. A fact that was recorded after another one was committed has the
 * greater number, whichever processes recorded them. Clocks do not decide: those of two processes differ by more than
 * the time between two requests of one client.
 */
export const orderOf = ({ t, i }: mongo.Timestamp): number => t * PER_SECOND + Math.min(i, PER_SECOND - 1);

/** Approximate position of a moment among the facts. @param ms milliseconds since 1970 */
export const orderAt = (ms: number): number => Math.floor(ms * ORDERS_PER_MS);

export const ORDERS_PER_MS = PER_SECOND / 1000;
