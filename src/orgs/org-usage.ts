import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { OrgNotFound } from '../common/errors/domain-error.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { OrgUsageRepository, type ByteCounter } from './data/org-usage.repository.js';
import type { Org } from './data/org.schema.js';
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

/** What takes storage, by the counter it is added to (accounts §8.4). */
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
  /** Time of crawler instances; otherwise the wall time of a finished run. */
  readonly isExecTime: boolean;
  readonly isQa: boolean;
  /** `YYYY-MM` in which the time passed; the present month when absent. */
  readonly month?: string;
}

/** What an org uses and may still use. Contract: accounts §8. */
@Injectable()
export class OrgUsage {
  constructor(
    private readonly usage: OrgUsageRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Refuses work that writes.
   * @param options `includeTime` false for uploads, profiles, seed files and thumbnails (default true); `extraBytes` not
   *   yet in the org's counter
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

  /** The two notices as they stand in the database now, for answers to a write; both false for an org that is gone. */
  async quotaFlags(oid: string): Promise<{ storageQuotaReached: boolean; execMinutesQuotaReached: boolean }> {
    const org = await this.usage.findPurses(oid);
    return {
      storageQuotaReached: org !== null && this.isStorageQuotaReached(org),
      execMinutesQuotaReached: org !== null && this.isExecMinutesQuotaReached(org),
    };
  }

  /** Adds bytes to a kind's counter and to the total in one update; negative after a deletion. */
  async addBytes(oid: string, kind: StoredKind, bytes: number, tx?: Tx): Promise<void> {
    if (bytes !== 0) await this.usage.add(oid, { bytesStored: bytes, [COUNTER_OF[kind]]: bytes }, tx);
  }

  /**
   * As `addBytes`, for bytes that took a while to come: meanwhile others may have used up the quota, and the org may have
   * become read-only, which is also how its deletion begins.
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
   * Counts time and takes execution time from the purses (accounts §8.3). Not idempotent: record
   * in `tx`, the caller's transaction, what was counted.
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

  /** Changes quotas (accounts §8.2) in a transaction, so that no usage counted meanwhile is lost. */
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
    await (tx ? change(tx) : this.unitOfWork.run(change));
  }

  /** A crawl or upload finished. */
  async itemFinished(oid: string, finished: Date, tx?: Tx): Promise<void> {
    await this.usage.advanceLastCrawlFinished(oid, finished, tx);
  }

  /** Items were deleted; `finished` is the newest end among those that are left, of any type. */
  async itemsDeleted(oid: string, finished: Date | null, tx?: Tx): Promise<void> {
    await this.usage.setLastCrawlFinished(oid, finished, tx);
  }

  private month(): string {
    return monthOf(this.clock.now());
  }
}
