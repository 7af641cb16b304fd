import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { Coalesced } from '../common/concurrency/coalesced.js';
import { outsideRequests } from '../common/http/request-scope.js';
import type { Lease, Leases } from './leases.js';

/** Work under lease: something that this process has claimed. */
export interface Leased {
  readonly lease: Lease;
}

export interface ClaimedWork<H> {
  readonly held: readonly H[];
  /** Whether more may be due, and there may be room for it. */
  readonly more: boolean;
}

/**
 * Claims due work and does as much of it at a time as the worker has room for. The leases are kept meanwhile. Failed
 * work stays claimed until its lease ends, unless the work says otherwise. Work that a stop cuts short is given back at
 * once.
 */
export abstract class LeasedWorker<H extends Leased> implements BeforeApplicationShutdown {
  private readonly running = new Map<H, Promise<void>>();
  /** Work that the stop of the process cut short. */
  private readonly left: H[] = [];
  private readonly looks = new Coalesced(() => this.claimAll());
  private readonly stop = new AbortController();
  private ended = 0;
  /** The process stops, so no further work is begun. */
  protected isClosed = false;

  protected constructor(
    private readonly held: Pick<Leases<{ _id: string }>, 'keep' | 'letGo' | 'giveBack'>,
    protected readonly logger: Logger,
    /** How long work under way may continue after the process is told to stop, before it is cut short. */
    private readonly graceMs = 0,
  ) {}

  /** Claims and starts what is due now. @returns how many were started */
  look(): Promise<number> {
    return this.looks.run();
  }

  /** Starts a look without waiting for it. It is called when something has become due, or there is room again. */
  wake(): void {
    if (this.isClosed) return;
    outsideRequests(() => this.look()).catch((error: unknown) =>
      this.logger.error({ event: 'look_failed', err: error }),
    );
  }

  /** Looks until nothing is due and everything started has ended. @returns how much work has ended */
  async drain(): Promise<number> {
    const before = this.ended;
    for (;;) {
      const { ended } = this;
      const started = await this.look();
      // There may have been no room while other work was running.
      if (started === 0 && this.running.size === 0 && this.ended === ended) return this.ended - before;
      await this.settled();
    }
  }

  /** Resolves when everything that is under way now has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.running.values());
  }

  /** This runs while the database is still connected, so that the outcome of the work is stored. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    // A look under way may still claim.
    await this.look().catch(() => undefined);
    const ended = this.settled();
    await Promise.race([ended, delay(this.graceMs, undefined, { ref: false })]);
    this.stop.abort(new Error('the process stops'));
    await ended;
    await this.held.giveBack(this.left.map(({ lease }) => lease));
    for (const { lease } of this.left) this.held.letGo(lease);
  }

  /** Claims due work, as far as there is room for it. */
  protected abstract claim(): Promise<ClaimedWork<H>>;

  protected abstract work(held: H): Promise<void>;

  /** Whether another look is worthwhile now that this work has ended. */
  protected wantsMore(_ended: H): boolean {
    return true;
  }

  protected get underWay(): readonly H[] {
    return [...this.running.keys()];
  }

  /** Aborts when the grace period of a stop is over. */
  protected get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** Starts the work. @returns a promise that resolves when the work has ended, whatever its outcome */
  protected start(held: H): Promise<void> {
    this.held.keep(held.lease);
    const work = outsideRequests(() => this.workOn(held)).finally(() => {
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
