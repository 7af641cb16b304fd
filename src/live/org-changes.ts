import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { OrgAccess } from '../common/access/access.js';
import { minutes, seconds } from '../common/units/durations.js';
import { ChangesReads, type OpenChanges } from './data/changes.reads.js';
import { orgChange, type StoredChange } from './data/org-change.facts.js';
import { Follower } from './rules/follower.js';
import { RecentChanges } from './rules/recent-changes.js';

/** Enough for a connection that is cut during a large import of another org. */
const KEPT = 5_000;
/** How long a process goes on listening when its last client has left: who changes to another tab comes back. */
const LINGER_MS = minutes(2);
const AGAIN_MS = seconds(2);

/**
 * Tells the clients of this process what changes in their orgs, whichever process changed it: one change stream of the
 * database for all of them, open while there are any.
 */
@Injectable()
export class OrgChanges implements OnModuleDestroy {
  private readonly logger = new Logger('live');
  private readonly followers = new Set<Follower>();
  private readonly recent = new RecentChanges(KEPT);
  private opening: Promise<void> | null = null;
  private open: OpenChanges | null = null;
  private farewell: NodeJS.Timeout | undefined;
  private isLeaving = false;

  constructor(private readonly changes: ChangesReads) {}

  /** Streams end before the server waits for its connections. */
  async onModuleDestroy(): Promise<void> {
    this.isLeaving = true;
    for (const follower of this.followers) follower.end();
    await this.close();
  }

  /**
   * Begins to follow an org. The caller ends it by `leave`.
   * @param access the org, and the role of who follows it
   * @param since the last moment of which the client was told; what was after it comes first
   * @returns the follower, and the moment up to which it needs not be told
   */
  async follow({ oid, role }: OrgAccess, since: bigint | null): Promise<{ follower: Follower; from: bigint }> {
    const follower = new Follower(oid, role);
    this.followers.add(follower);
    clearTimeout(this.farewell);
    try {
      await this.listen();
    } catch (error) {
      this.leave(follower);
      throw error;
    }
    if (this.isLeaving) follower.end();
    const from = this.recent.latest;
    if (since === null) return { follower, from };
    const missed = this.recent.since(since, (change) => follower.isToldOf(change));
    if (missed) for (const change of missed) follower.tell(change);
    else follower.tellOfEverything(from);
    return { follower, from };
  }

  leave(follower: Follower): void {
    this.followers.delete(follower);
    if (this.followers.size > 0) return;
    clearTimeout(this.farewell);
    this.farewell = setTimeout(() => void this.close(), LINGER_MS).unref();
  }

  private async listen(): Promise<void> {
    this.opening ??= this.begin();
    try {
      await this.opening;
    } catch (error) {
      this.opening = null;
      throw error;
    }
  }

  private async begin(): Promise<void> {
    this.open = await this.changes.open();
    this.recent.beginAt(this.open.from);
    void this.read(this.open);
  }

  private async read(open: OpenChanges): Promise<void> {
    let reason = 'the database closed the stream';
    try {
      for await (const stored of open.changes) this.tell(stored);
    } catch (error) {
      reason = (error as Error).message;
    }
    if (this.open !== open) return; // closed by `close`
    this.logger.warn({ event: 'changes_lost', reason });
    await this.close();
    this.listenAgain();
  }

  private tell(stored: StoredChange): void {
    const change = orgChange(stored);
    if (!change) return;
    this.recent.add(change);
    for (const follower of this.followers) if (follower.isToldOf(change)) follower.tell(change);
  }

  /** The driver resumes by itself what it can; after anything else, clients ask anew for what they show. */
  private listenAgain(): void {
    setTimeout(() => {
      if (this.isLeaving || this.followers.size === 0 || this.opening) return;
      this.listen().then(
        () => {
          for (const follower of this.followers) follower.tellOfEverything(this.recent.latest);
        },
        () => this.listenAgain(),
      );
    }, AGAIN_MS).unref();
  }

  private async close(): Promise<void> {
    const { open } = this;
    this.open = null;
    this.opening = null;
    await open?.close().catch(() => undefined);
  }
}
