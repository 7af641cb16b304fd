/** How many backups of each kind are kept. */
export interface Retention {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

interface Dated {
  /** In the order of time. */
  readonly id: string;
  /** In whole seconds. */
  readonly taken: Date;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const monthOf = (at: Date): string => at.toISOString().slice(0, 7);
/** The Monday of the week, in UTC. */
function weekOf(at: Date): string {
  const monday = new Date(at);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  return dayOf(monday);
}

/**
 * Which backups go. The newest of each of the last days, weeks and months that have one stay; so does the newest of all,
 * whatever is asked for.
 * @param backups in any order
 */
export function toPrune(backups: readonly Dated[], keep: Retention): string[] {
  const newestFirst = [...backups].sort((a, b) => b.taken.getTime() - a.taken.getTime() || (a.id < b.id ? 1 : -1));
  const kept = new Set(newestFirst.slice(0, 1).map(({ id }) => id));
  for (const [most, periodOf] of [
    [keep.daily, dayOf],
    [keep.weekly, weekOf],
    [keep.monthly, monthOf],
  ] as const) {
    const newest = new Map<string, string>();
    for (const { id, taken } of newestFirst) if (!newest.has(periodOf(taken))) newest.set(periodOf(taken), id);
    for (const id of [...newest.values()].slice(0, most)) kept.add(id);
  }
  return newestFirst.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
}
