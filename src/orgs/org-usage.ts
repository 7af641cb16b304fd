import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { OrgNotFound } from '../common/errors/domain-error.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { OrgUsageRepository, type ByteCounter } from './data/org-usage.repository.js';
import type { Org } from './data/org.schema.js';
import { OrgSettingChanges } from './org-setting-changes.js';
import { WriteRefused } from './orgs.errors.js';
import {
  isExecMinutesQuotaReached,
  isStorageQuotaReached,
  monthOf,
  quotaChangeOf,
  spendingOf,
  writeBlockOf,
  type SentQuotas,
} from './rules/quota.rules.js';

/** Kinds of stored files, each with its own counter (accounts §8.4). */
export type StoredKind = 'crawl' | 'upload' | 'profile' | 'seedFile' | 'thumbnail' | 'dedupeIndex';

const COUNTER_OF = {
  crawl: 'bytesStoredCrawls',
  upload: 'bytesStoredUploads',
  profile: 'bytesStoredProfiles',
  seedFile: 'bytesStoredSeedFiles',
  thumbnail: 'bytesStoredThumbnails',
  dedupeIndex: 'bytesStoredDedupeIndexes',
} as const satisfies Record<StoredKind, ByteCounter>;

export interface TimeUsed {
  readonly seconds: number;
  /** True for time of crawler instances, false for the wall time of a finished run. */
  readonly isExecTime: boolean;
  readonly isQa: boolean;
  /** The month `YYYY-MM` in which the time passed; the present month when absent. */
  readonly month?: string;
}

/** Counts what an org uses, and checks what it may still use. Contract: accounts §8. */
@Injectable()
export class OrgUsage {
  constructor(
    private readonly usage: OrgUsageRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: OrgSettingChanges,
    private readonly clock: Clock,
  ) {}

  /**
   * Refuses work that writes when the org may not write.
   * @param options `includeTime` is false for uploads, profiles, seed files and thumbnails (default true); `extraBytes`
   *   are not yet in the org's counter
   * @throws WriteRefused 403, in the order read-only, storage, execution minutes
   */
  assertCanWrite(org: Org, { includeTime = true, extraBytes = 0 } = {}): void {
    const block = writeBlockOf(org, { month: this.month(), includeTime, extraBytes });
    if (block) throw new WriteRefused(block);
  }

  isStorageQuotaReached(org: Org, extraBytes = 0): boolean {
    return isStorageQuotaReached(org, extraBytes);
  }

  isExecMinutesQuotaReached(org: Org): boolean {
    return isExecMinutesQuotaReached(org, this.month());
  }

  /**
   * Returns the two quota flags as the database has them now, for answers to a write. Both are false for an org that is
   * gone.
   */
  async quotaFlags(oid: string): Promise<{ storageQuotaReached: boolean; execMinutesQuotaReached: boolean }> {
    const org = await this.usage.findPurses(oid);
    return {
      storageQuotaReached: org !== null && this.isStorageQuotaReached(org),
      execMinutesQuotaReached: org !== null && this.isExecMinutesQuotaReached(org),
    };
  }

  /** Adds bytes to a kind's counter and to the total in one update. They are negative after a deletion. */
  async addBytes(oid: string, kind: StoredKind, bytes: number, tx?: Tx): Promise<void> {
    if (bytes === 0) return;
    await this.usage.addBytes(oid, { counter: COUNTER_OF[kind], bytes, month: this.month() }, tx);
  }

  /**
   * As `addBytes`, for bytes that took a while to arrive. Meanwhile the quota may have been used up or the org may have
   * become read-only. The deletion of an org also begins with read-only.
   * @throws WriteRefused, OrgNotFound, which are to abort the transaction
   */
  async takeBytes(oid: string, kind: StoredKind, bytes: number, tx: Tx): Promise<void> {
    await this.addBytes(oid, kind, bytes, tx);
    const org = await this.usage.findPurses(oid, tx);
    if (!org) throw new OrgNotFound();
    if (org.readOnly) throw new WriteRefused('org_set_to_read_only');
    const quota = org.quotas?.storageQuota ?? 0;
    if (bytes > 0 && quota > 0 && (org.bytesStored ?? 0) > quota) throw new WriteRefused('storage_quota_reached');
  }

  /**
   * Counts time, and takes execution time from the balances that pay for it (accounts §8.3). The call is not
   * idempotent, so the caller records in `tx`, its own transaction, what was counted.
   */
  async addSeconds(oid: string, { seconds, isExecTime, isQa, month = this.month() }: TimeUsed, tx?: Tx): Promise<void> {
    if (seconds === 0) return;
    if (isQa || !isExecTime) {
      const map = isQa ? (isExecTime ? 'qaCrawlExecSeconds' : 'qaUsage') : 'usage';
      await this.usage.add(oid, { [`${map}.${month}`]: seconds }, tx);
      return;
    }
    const spend = async (open: Tx): Promise<void> => {
      const org = await this.usage.findPurses(oid, open);
      if (!org) return;
      const { monthly, gifted, extra } = spendingOf(org, month, seconds);
      await this.usage.add(
        oid,
        {
          [`crawlExecSeconds.${month}`]: seconds,
          ...(monthly > 0 ? { [`monthlyExecSeconds.${month}`]: monthly } : {}),
          ...(gifted > 0 ? { [`giftedExecSeconds.${month}`]: gifted, giftedExecSecondsAvailable: -gifted } : {}),
          ...(extra > 0 ? { [`extraExecSeconds.${month}`]: extra, extraExecSecondsAvailable: -extra } : {}),
        },
        open,
      );
    };
    await (tx ? spend(tx) : this.unitOfWork.run(spend));
  }

  /** Changes quotas (accounts §8.2) in a transaction, so that usage counted meanwhile is not lost. */
  async changeQuotas(
    oid: string,
    sent: SentQuotas,
    { mode, subEventId = null, tx }: { mode: 'set' | 'add'; subEventId?: string | null; tx?: Tx },
  ): Promise<void> {
    const modified = this.clock.timestamp();
    const change = async (open: Tx): Promise<void> => {
      const org = await this.usage.findPurses(oid, open);
      if (!org) return;
      const { update, ...values } = quotaChangeOf(org, sent, mode);
      await this.usage.setQuotas(oid, { ...values, entry: { modified, update, subEventId } }, open);
    };
    await (tx ? change(tx) : this.changes.run(oid, change));
  }

  /** Records that a crawl or upload finished. */
  async itemFinished(oid: string, finished: Date, tx?: Tx): Promise<void> {
    await this.usage.advanceLastCrawlFinished(oid, finished, tx);
  }

  /** Records that items were deleted. @param finished the latest finish among the remaining items of any type */
  async itemsDeleted(oid: string, finished: Date | null, tx?: Tx): Promise<void> {
    await this.usage.setLastCrawlFinished(oid, finished, tx);
  }

  private month(): string {
    return monthOf(this.clock.now());
  }
}
