import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import type { Lease } from '../../database/leases.js';
import type { ResumableUploadsRepository } from '../data/resumable-uploads.repository.js';

const ASK_MS = 100;
/** Tries before a request gives up; at least as long as a lease. */
const TRIES = 400;

/** Admits one writer per upload in all processes: a lease in its document. A waiter asks the holder to end. */
export class UploadLocker implements Locker {
  constructor(
    private readonly uploads: ResumableUploadsRepository,
    private readonly oid: string,
  ) {}

  newLock(id: string): Lock {
    return new UploadLock(this.uploads, { oid: this.oid, id });
  }
}

class UploadLock implements Lock {
  private lease: Lease | undefined;

  constructor(
    private readonly uploads: ResumableUploadsRepository,
    private readonly of: { oid: string; id: string },
  ) {}

  /** An upload that is not there needs no lock: what comes next finds that out. */
  async lock(signal: AbortSignal, requestRelease: RequestRelease): Promise<void> {
    const { oid, id } = this.of;
    const { leases } = this.uploads;
    for (let tries = 0; tries < TRIES && !signal.aborted; tries++) {
      this.lease = (await leases.claimOne(id, { where: { oid } }))?.lease;
      if (this.lease) {
        this.lease.wanted.addEventListener('abort', () => void requestRelease());
        // A renewal that fails costs the lock at worst; the offset in each write's condition keeps the upload whole.
        return leases.keep(this.lease);
      }
      if (!(await this.uploads.find(oid, id))) return;
      await leases.ask(id);
      await sleep(ASK_MS);
    }
    throw ERRORS.ERR_LOCK_TIMEOUT as unknown as Error;
  }

  async unlock(): Promise<void> {
    if (!this.lease) return;
    this.uploads.leases.letGo(this.lease);
    await this.uploads.leases.giveBack([this.lease]);
  }
}
