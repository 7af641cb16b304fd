import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS, type Lock, type Locker, type RequestRelease } from '@tus/server';
import type { Clock } from '../../common/clock/clock.js';
import { newId } from '../../common/ids/uuid.js';
import { seconds } from '../../common/units/durations.js';
import type { LockClaim, ResumableUploadsRepository } from '../data/resumable-uploads.repository.js';

/** A process that dies holds a lock this long. */
const LEASE_MS = seconds(30);
const RENEW_MS = seconds(1);
const ASK_MS = 100;
/** Tries before a request gives up; at least as long as a lease. */
const TRIES = 400;

/** One writer per upload among all processes: a lease in the upload's document. Waiting asks the holder to end. */
export class UploadLocker implements Locker {
  constructor(
    private readonly uploads: ResumableUploadsRepository,
    private readonly clock: Clock,
    private readonly oid: string,
  ) {}

  newLock(id: string): Lock {
    return new UploadLock(this.uploads, this.clock, { oid: this.oid, id });
  }
}

class UploadLock implements Lock {
  private readonly owner = newId();
  private renewing: NodeJS.Timeout | null = null;

  constructor(
    private readonly uploads: ResumableUploadsRepository,
    private readonly clock: Clock,
    private readonly of: { oid: string; id: string },
  ) {}

  /** An upload that is not there needs no lock: what comes next finds that out. */
  async lock(signal: AbortSignal, requestRelease: RequestRelease): Promise<void> {
    const { oid, id } = this.of;
    for (let tries = 0; tries < TRIES && !signal.aborted; tries++) {
      if (await this.uploads.lock(oid, id, this.claim())) return this.keep(requestRelease);
      if (!(await this.uploads.find(oid, id))) return;
      await this.uploads.wantLock(oid, id);
      await sleep(ASK_MS);
    }
    throw ERRORS.ERR_LOCK_TIMEOUT as unknown as Error;
  }

  async unlock(): Promise<void> {
    if (this.renewing) clearInterval(this.renewing);
    await this.uploads.unlock(this.of.oid, this.of.id, this.owner);
  }

  private claim(): LockClaim {
    const now = this.clock.now();
    return { owner: this.owner, now, until: new Date(now.getTime() + LEASE_MS) };
  }

  private keep(requestRelease: RequestRelease): void {
    const renew = async (): Promise<void> => {
      const isWanted = await this.uploads.keepLock(this.of.oid, this.of.id, this.claim());
      if (isWanted) await requestRelease();
    };
    // A renewal that fails costs the lock at worst; the offset in each write's condition keeps the upload whole.
    this.renewing = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
    this.renewing.unref();
  }
}
