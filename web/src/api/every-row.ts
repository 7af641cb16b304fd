import { client } from './client';
import { queryClient } from './query-client';

/** The most rows that are asked for at once. */
const WHOLE = 1000;

interface ListPage<T> {
  readonly items: readonly T[];
  readonly total: number;
}
type Asked = readonly [
  method: string,
  path: string,
  init?: { readonly params?: { readonly query?: Readonly<Record<string, unknown>> } },
];

/**
 * Every row of a list of which a page is shown: what read the page is asked again, page by page. Rows that come and go
 * meanwhile may be there twice or missing.
 *
 * @returns the rows that are shown, where no single request of the API read them
 * @throws ApiProblem
 */
export async function everyRow<T>(shown: ListPage<T>): Promise<readonly T[]> {
  const reader = queryClient
    .getQueryCache()
    .getAll()
    .find(({ state }) => state.data === shown);
  if (reader?.queryKey[0] !== 'get' || shown.items.length >= shown.total) return shown.items;
  const [, path, init] = reader.queryKey as unknown as Asked;
  return everyPage(async (page, pageSize) => {
    const params = { ...init?.params, query: { ...init?.params?.query, page, pageSize } };
    const { data } = (await client.GET(path as never, { params } as never)) as { data?: ListPage<T> };
    return data;
  });
}

/**
 * The same for a list that is read in a way of its own.
 *
 * @throws ApiProblem
 */
export async function everyPage<T>(
  read: (page: number, pageSize: number) => Promise<ListPage<T> | undefined>,
): Promise<readonly T[]> {
  const rows: T[] = [];
  for (let page = 1; ; page++) {
    const data = await read(page, WHOLE);
    rows.push(...(data?.items ?? []));
    if (!data || data.items.length === 0 || rows.length >= data.total) return rows;
  }
}
