import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Lease } from '../database/leases.js';
import { BackupRefused } from './backup.errors.js';
import { BackupStateRepository } from './data/backup-state.repository.js';

/** How often a lease is looked at that may be a dead process's. */
const LOOK_MS = 1_000;

/** The right to back the database up: one process has it. Stored objects stay as long as somebody has it. */
@Injectable()
export class BackupLease {
  constructor(private readonly states: BackupStateRepository) {}

  /**
   * Does `work` under the lease. One that a dead process left is waited for, half a minute at the most.
   * @param work gets a signal that aborts when the lease is lost, and the state that the last holder left
   * @throws BackupRefused while another backup runs
   */
  async hold<T>(work: (lease: Lease, windowBefore: number | null) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { lease, record } = await this.claim(signal);
    this.states.leases.keep(lease);
    try {
      return await work(lease, record.windowBefore ?? null);
    } finally {
      this.states.leases.letGo(lease);
      await this.states.leases.giveBack([lease]);
    }
  }

  private async claim(signal: AbortSignal) {
    const first = await this.states.until();
    for (;;) {
      const held = await this.states.claim();
      if (held) return held;
      const until = await this.states.until();
      // A holder that lives renews.
      if (first === null || (until !== null && until > first))
        throw new BackupRefused('another backup of this database runs');
      await delay(LOOK_MS, undefined, { signal });
    }
  }
}
