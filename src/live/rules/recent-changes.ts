import type { OrgChange } from '../data/org-change.facts.js';

/** The latest changes in the order of the database, for clients whose connection was cut. */
export class RecentChanges {
  private readonly changes: OrgChange[] = [];
  private complete = 0n;

  /** @param most changes that are kept */
  constructor(private readonly most: number) {}

  /** Forgets what was; from `at` on, changes are added without a gap. */
  beginAt(at: bigint): void {
    this.changes.length = 0;
    this.complete = at;
  }

  add(change: OrgChange): void {
    this.changes.push(change);
    if (this.changes.length <= this.most) return;
    const [dropped] = this.changes.splice(0, this.changes.length - this.most);
    // Changes of one transaction have one time: of this one, some may be gone.
    this.complete = (dropped?.at ?? this.complete) + 1n;
  }

  /** The time up to which a client that is told of everything from now on knows all. */
  get latest(): bigint {
    return this.changes.at(-1)?.at ?? this.complete;
  }

  /**
   * What was since `at`, changes of that moment included, as a transaction's changes may have been told in part.
   * @returns null when that is not known any more
   */
  since(at: bigint, isOf: (change: OrgChange) => boolean): OrgChange[] | null {
    if (at < this.complete) return null;
    return this.changes.filter((change) => change.at >= at && isOf(change));
  }
}
