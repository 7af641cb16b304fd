const BAD_VALUE = 2;
const NO_SUCH_INDEX = /hint provided does not correspond to an existing index/;

interface Hinted {
  readonly hint?: unknown;
}

/** Whether a query failed because the index that it names does not exist. */
export const namesMissingIndex = (error: unknown): boolean => {
  const { code, message = '' } = (error ?? {}) as { code?: number; message?: string };
  return code === BAD_VALUE && NO_SUCH_INDEX.test(message);
};

/**
 * Reads along the index that `options.hint` names. While that is being built behind the running service (`IndexSync`),
 * the database chooses another, which is slower. In a transaction the failed read has ended it: the error stays.
 */
export async function alongHint<O extends Hinted, R>(options: O, read: (options: O) => Promise<R>): Promise<R> {
  try {
    return await read(options);
  } catch (error) {
    if (options.hint === undefined || !namesMissingIndex(error)) throw error;
    return read({ ...options, hint: undefined });
  }
}
