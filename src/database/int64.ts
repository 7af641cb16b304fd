import { mongo } from 'mongoose';

/**
 * A whole number as BSON int64. The driver writes JavaScript numbers beyond 31 bits as doubles, which lose precision in
 * sums. So byte and second counters are written with this (accounts §15.1). Mongoose casts such values back, so they
 * belong in aggregation pipelines only.
 */
export const int64 = (value: number): mongo.Long => mongo.Long.fromNumber(Math.trunc(value));
