import type { Model, QueryFilter } from 'mongoose';
import { alongHint } from '../missing-index.js';
import { rawCollection } from '../raw-collection.js';

export interface CountOptions {
  readonly collation?: { readonly locale: string; readonly strength: number };
  readonly hint?: string | Record<string, 1 | -1 | 'hashed' | 'text'> | undefined;
  /** Count at which the counting stops. */
  readonly limit?: number | undefined;
}

interface Countable {
  count(filter: object, options: CountOptions): Promise<number>;
}

/**
 * Counts matching documents, outside transactions. Within one range of an index the `count` command counts entries as
 * it passes them. That costs half of the pipeline that `countDocuments` runs.
 */
export async function countMatches<T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  options: CountOptions = {},
): Promise<number> {
  const { collection } = rawCollection(model);
  const cast = model.find().cast(model, filter) as object;
  return alongHint(options, ({ hint, ...rest }) =>
    (collection as Countable).count(cast, hint === undefined ? rest : { ...rest, hint }),
  );
}
