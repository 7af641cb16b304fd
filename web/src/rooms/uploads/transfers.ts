import { useSyncExternalStore } from 'react';
import { queryClient } from '../../api/query-client';
import { session } from '../../session/session';
import { FileTransfer, type Description, type Transfer } from './transfer';

/** So many files are sent at a time; the others wait. */
const AT_A_TIME = 2;
/** Progress is shown this often, in ms. */
const TELL_EVERY = 200;

let all: readonly FileTransfer[] = [];
let snapshot: readonly Transfer[] = [];
let telling: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function tell(): void {
  telling = undefined;
  snapshot = all.map(({ shown }) => shown);
  for (const listener of listeners) listener();
}

/** Files that wait take the places of those that have ended; the page is told soon. */
function changed(): void {
  const room = AT_A_TIME - all.filter((one) => one.isBusy).length;
  const next = room > 0 ? all.find((one) => one.shown.state === 'waiting') : undefined;
  if (next) void next.start();
  telling ??= setTimeout(tell, TELL_EVERY);
}

const find = (id: string): FileTransfer | undefined => all.find((one) => one.shown.id === id);

function forget(id: string): void {
  all = all.filter((one) => one.shown.id !== id);
  changed();
}

/** Lists of items, and records of one whose file was replaced. */
const isOfUploads = (path: unknown): boolean =>
  typeof path === 'string' && /^\/api\/orgs\/\{oid\}\/(uploads|all-crawls)/.test(path);

/** The page asks before it is left while files are on their way. */
window.addEventListener('beforeunload', (event) => {
  if (all.some((one) => one.isBusy)) event.preventDefault();
});

/** Files on their way. They go on while the person looks at other pages of the console. */
export const transfers = {
  add(oid: string, file: File, described: Description): void {
    const shown: Transfer = {
      id: crypto.getRandomValues(new Uint32Array(2)).join('-'),
      oid,
      name: described.name,
      size: file.size,
      sent: 0,
      speed: null,
      state: 'waiting',
      problem: null,
      itemId: null,
    };
    let isTold = false;
    const transfer = new FileTransfer(shown, file, described, () => {
      if (transfer.shown.state === 'done' && !isTold) {
        isTold = true;
        void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isOfUploads(queryKey[1]) });
      }
      changed();
    });
    all = [...all, transfer];
    changed();
  },
  pause: (id: string): void => void find(id)?.pause(),
  /** Waits for a place again. */
  resume: (id: string): void => find(id)?.wait(),
  async discard(id: string): Promise<void> {
    await find(id)?.discard();
    forget(id);
  },
  /** Takes what has ended out of the list. */
  dismiss: forget,
  /** For a person who logs out: nothing of theirs goes on under another login. */
  async dropAll(): Promise<void> {
    const dropped = all;
    all = [];
    changed();
    await Promise.all(dropped.map((one) => one.drop()));
  },
};

session.subscribe(() => {
  if (session.state === 'none') void transfers.dropAll();
});

export function useTransfers(oid: string): readonly Transfer[] {
  const every = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => snapshot,
  );
  return every.filter((transfer) => transfer.oid === oid);
}
