import { mongo } from 'mongoose';

/** More than the facts that are recorded within a second. */
const PER_SECOND = 2 ** 20;

/** What the database turns into its own next timestamp when it stores it as a field of a new document. */
export const nextTimestamp = (): mongo.Timestamp => new mongo.Timestamp({ t: 0, i: 0 });

/**
 * Position of a fact among all, as a number. A fact recorded after another one was committed has the greater one,
 * whichever processes recorded them: their clocks differ by more than the time between two requests of one client.
 */
export const orderOf = ({ t, i }: mongo.Timestamp): number => t * PER_SECOND + Math.min(i, PER_SECOND - 1);

/** Position of a moment among the facts, about. @param ms since 1970 */
export const orderAt = (ms: number): number => Math.floor(ms * ORDERS_PER_MS);

export const ORDERS_PER_MS = PER_SECOND / 1000;
