import type { Query } from '@tanstack/react-query';
import { listenToOrg } from './org-stream';
import { EVERY, queryClient } from './query-client';

/** The kinds of changes that the stream tells, and what of the API shows them. */
const SHOWN_BY: Readonly<Record<string, RegExp>> = {
  item: /\/(crawls|all-crawls|uploads|crawlconfigs|metrics|collections)\b/,
  workflow: /\/crawlconfigs\b/,
  // Not who is logged in: the page of an org whose address changes has to move first.
  org: /\/orgs\/\{oid\}$|\/metrics\b/,
  job: /\/jobs\b/,
  collection: /\/collections\b/,
  profile: /\/profiles\b/,
};
/** What changes for each page of a running crawl is asked for no more often than this, in milliseconds. */
const NO_OFTENER_MS = 3_000;
/** A page is drawn before this, in milliseconds from when the stream is there. */
const AFTER_START_MS = 1_500;

let isTold = false;

/** How often to ask for what the stream tells of: seldom while it does. For `refetchInterval`. */
export const paced = {
  often: (): number => (isTold ? 2 * EVERY.seldom : EVERY.often),
  list: (): number => (isTold ? 2 * EVERY.seldom : EVERY.list),
  seldom: (): number => (isTold ? 4 * EVERY.seldom : EVERY.seldom),
} as const;

/** Keys of openapi-react-query are method, path, parameters; other queries have reasons of their own to stay as they are. */
const pathOf = ({ queryKey: [method, path] }: Query): string =>
  method === 'get' && typeof path === 'string' ? path : '';

const askAgain = (isMeant: (query: Query) => boolean): void =>
  void queryClient.invalidateQueries(
    { predicate: (query) => pathOf(query) !== '' && isMeant(query) },
    { cancelRefetch: false },
  );

interface Told {
  readonly id?: string;
  readonly state?: unknown;
  readonly deleted?: boolean;
}

/** What is asked for of the org as a whole, and not of one thing in it. */
function isList({ queryKey: [, , init] }: Query): boolean {
  const { params } = (init ?? {}) as { params?: { path?: Record<string, unknown> } };
  return Object.keys(params?.path ?? {}).every((name) => name === 'oid');
}

/** Keeps what is shown of an org as it is, as long as the page is open. @returns ends it */
export function followOrg(oid: string): () => void {
  let first: ReturnType<typeof setTimeout> | undefined;
  const states = new Map<string, unknown>();
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();

  const ask = (kind: string, isMeant: (query: Query) => boolean = () => true): void => {
    const shown = SHOWN_BY[kind];
    askAgain((query) => isMeant(query) && (shown?.test(pathOf(query)) ?? false));
  };
  /** In a while, once for all that comes until then. */
  const askInTurn = (kind: string): void => {
    if (waiting.has(kind)) return;
    waiting.set(
      kind,
      setTimeout(() => {
        waiting.delete(kind);
        ask(kind);
      }, NO_OFTENER_MS),
    );
  };

  const stop = listenToOrg(oid, {
    opened(isFirst) {
      isTold = true;
      const now = Date.now();
      // What was asked for before may have changed unseen; seldom, so that the page is drawn first. Later, the stream
      // goes on where it ended.
      if (isFirst) first = setTimeout(() => askAgain(({ state }) => state.dataUpdatedAt < now), AFTER_START_MS);
    },
    lost() {
      if (isTold) askAgain(() => true);
      isTold = false;
    },
    told({ event = '', data }) {
      if (event === 'everything') return askAgain(() => true);
      const { id = '', state, deleted = id === '' } = JSON.parse(data) as Told;
      // Who deletes something is on its page still when this comes: there is nothing to ask for any more.
      if (deleted) return ask(event, isList);
      const isProgress = event === 'item' && states.get(id) === state;
      if (event === 'item') states.set(id, state);
      if (isProgress) askInTurn(event);
      else ask(event);
    },
  });
  return () => {
    stop();
    for (const timer of [first, ...waiting.values()]) clearTimeout(timer);
    isTold = false;
  };
}
