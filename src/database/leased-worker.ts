import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { Coalesced } from '../common/concurrency/coalesced.js';
import type { Lease, Leases } from './leases.js';

/** Work under lease: something that this process has claimed. */
export interface Leased {
  readonly lease: Lease;
}

export interface ClaimedWork<H> {
  readonly held: readonly H[];
  /** Whether there may be more that is due, and room for it. */
  readonly more: boolean;
}

/**
 * Claims what is due and works on it, as much at a time as the worker has room for, keeping the leases meanwhile. What
 * fails is left to its lease, unless the work says otherwise; what a stop cuts short is given back at once.
 */
export abstract class LeasedWorker<H extends Leased> implements BeforeApplicationShutdown {
  private readonly running = new Map<H, Promise<void>>();
  /** Cut short by the stop. */
  private readonly left: H[] = [];
  private readonly looks = new Coalesced(() => this.claimAll());
  private readonly stop = new AbortController();
  private ended = 0;
  /** The process stops: what is not begun is not begun any more. */
  protected isClosed = false;

  protected constructor(
    private readonly held: Pick<Leases<{ _id: string }>, 'keep' | 'letGo' | 'giveBack'>,
    protected readonly logger: Logger,
    /** What is under way when the process is told to stop may go on for this long before it is cut short. */
    private readonly graceMs = 0,
  ) {}

  /** Claims and starts what is due now. @returns how many were started */
  look(): Promise<number> {
    return this.looks.run();
  }

  /** Starts a look without waiting for it: something has just become due, or there is room again. */
  wake(): void {
    if (this.isClosed) return;
    this.look().catch((error: unknown) => this.logger.error({ event: 'look_failed', err: error }));
  }

  /** Looks until nothing is due and everything started has ended. @returns how many have */
  async drain(): Promise<number> {
    const before = this.ended;
    for (;;) {
      const { ended } = this;
      const started = await this.look();
      // While some ran, there may have been no room.
      if (started === 0 && this.running.size === 0 && this.ended === ended) return this.ended - before;
      await this.settled();
    }
  }

  /** Resolves when everything that is under way now has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.running.values());
  }

  /** While the database is still connected, so that how work ended is stored. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    // One under way may still claim.
    await this.look().catch(() => undefined);
    const ended = this.settled();
    await Promise.race([ended, delay(this.graceMs, undefined, { ref: false })]);
    this.stop.abort(new Error('the process stops'));
    await ended;
    await this.held.giveBack(this.left.map(({ lease }) => lease));
    for (const { lease } of this.left) this.held.letGo(lease);
  }

  /** Claims what is due, as far as there is room for it. */
  protected abstract claim(): Promise<ClaimedWork<H>>;

  protected abstract work(held: H): Promise<void>;

  /** Whether a look pays now that this has ended. */
  protected wantsMore(_ended: H): boolean {
    return true;
  }

  protected get underWay(): readonly H[] {
    return [...this.running.keys()];
  }

  /** Aborts when the grace of a stop is over. */
  protected get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** @returns when the work has ended, however it has */
  protected start(held: H): Promise<void> {
    this.held.keep(held.lease);
    const work = this.workOn(held).finally(() => {
      this.running.delete(held);
      this.ended++;
      if (this.wantsMore(held)) this.wake();
    });
    this.running.set(held, work);
    return work;
  }

  private async workOn(held: H): Promise<void> {
    try {
      await this.work(held);
    } catch (error) {
      if (this.isClosed && !held.lease.isLost) {
        this.left.push(held);
        return;
      }
      this.logger.error({ event: 'work_failed', of: held.lease.recordId, err: error });
    }
    this.held.letGo(held.lease);
  }

  private async claimAll(): Promise<number> {
    let started = 0;
    for (let more = true; more && !this.isClosed;) {
      const claimed = await this.claim();
      ({ more } = claimed);
      started += claimed.held.length;
      if (this.isClosed) this.left.push(...claimed.held);
      else for (const held of claimed.held) void this.start(held);
    }
    return started;
  }
}
