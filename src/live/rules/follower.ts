import { ROLE } from '../../common/access/access.js';
import type { OrgChange } from '../data/org-change.facts.js';

/** A change of each document once: more of them wait for no client. */
const MOST_WAITING = 500;

/**
 * One client that follows an org. What it has not read yet waits here, of each document the newest state alone; for a
 * client that reads too slowly it shrinks to "everything".
 */
export class Follower {
  private waiting = new Map<string, OrgChange>();
  private wake: (() => void) | null = null;
  private readonly ending = new AbortController();

  /** @param role of the member, 100 for a superuser */
  constructor(
    readonly oid: string,
    private readonly role: number,
  ) {}

  isToldOf(change: OrgChange): boolean {
    if (change.kind === 'job' && this.role < ROLE.crawler) return false;
    return change.oid === null || change.oid === this.oid;
  }

  tell(change: OrgChange): void {
    const id = change.data['id'];
    if (this.waiting.size >= MOST_WAITING) this.tellOfEverything(change.at);
    else this.waiting.set(`${change.kind} ${typeof id === 'string' ? id : ''}`, change);
    this.wake?.();
  }

  /** The client asks for all that it shows. */
  tellOfEverything(at: bigint): void {
    this.waiting = new Map([['everything', { kind: 'everything', oid: this.oid, at, data: {} }]]);
    this.wake?.();
  }

  end(): void {
    this.ending.abort();
    this.wake?.();
  }

  /** Aborted at the end. */
  get over(): AbortSignal {
    return this.ending.signal;
  }

  /** What waits, as soon as there is something; nothing after `ms` milliseconds, or at the end. */
  async next(ms: number): Promise<OrgChange[]> {
    if (this.waiting.size === 0 && !this.over.aborted) await this.something(ms);
    const changes = [...this.waiting.values()].sort((one, other) =>
      one.at < other.at ? -1 : Number(one.at > other.at),
    );
    this.waiting.clear();
    return changes;
  }

  private async something(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = null;
  }
}
