import { QueryClient } from '@tanstack/react-query';
import { ApiProblem } from './problem';

/** Statuses that another try may change. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 0 || error.status === 429 || error.status >= 502);

/** What was read is shown at once when a page is opened again, and read anew behind it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      gcTime: 600_000,
      retry: (failures, error) => isPassing(error) && failures < 3,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

/** How often a page asks again, in milliseconds. Hidden tabs don't ask. */
export const EVERY = { live: 3_000, often: 5_000, list: 10_000, seldom: 30_000 } as const;
