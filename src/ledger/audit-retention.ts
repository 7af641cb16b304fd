import { Injectable, Logger } from '@nestjs/common';
import type { Held } from '../database/leases.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { FileRemover } from '../objects/file-remover.js';
import { Checkpoints } from './checkpoints.js';
import type { AuditChain } from './data/audit-chain.schema.js';
import { AuditChainsRepository } from './data/audit-chains.repository.js';
import type { AuditDay } from './data/audit-day.schema.js';
import { AuditDaysRepository } from './data/audit-days.repository.js';
import { AuditLinesRepository } from './data/audit-lines.repository.js';
import { RetentionTime } from './retention-time.js';
import { endOf } from './rules/audit-day.js';

const CUT_AT_ONCE = 100;
/** Owner of the plans to delete files that belong to no org. */
const NO_ORG = '00000000-0000-0000-0000-000000000000';

/**
 * Deletes closed days that are older than the deployment keeps them. What is cut is signed first, so that the chain
 * which is left has a beginning that nobody else can make. Days that are not closed are not cut.
 */
@Injectable()
export class AuditRetention {
  private readonly logger = new Logger('ledger');

  constructor(
    private readonly chains: AuditChainsRepository,
    private readonly days: AuditDaysRepository,
    private readonly lines: AuditLinesRepository,
    private readonly checkpoints: Checkpoints,
    private readonly remover: FileRemover,
    private readonly unitOfWork: UnitOfWork,
    private readonly at: RetentionTime,
  ) {}

  /** Cuts what is past, and completes a cut that a crash left half done. */
  async cut({ record, lease }: Held<AuditChain>, stop: AbortSignal): Promise<void> {
    const { oid } = record;
    const last = await this.lastPast(oid);
    const done = record.checkpoint?.day ?? null;
    if (last && (done === null || done < last.day)) {
      if (!(await this.chains.cut(lease, await this.checkpoints.sign(oid, last)))) return;
      this.logger.log({ event: 'audit_cut', oid, day: last.day, digest: last.digest });
    }
    const end = last && (done === null || done < last.day) ? last.day : done;
    if (end === null) return;
    for (;;) {
      const some = await this.days.upTo(oid, end, CUT_AT_ONCE);
      if (some.length === 0) return;
      for (const day of some) {
        stop.throwIfAborted();
        lease.lost.throwIfAborted();
        await this.remove(oid, day);
      }
    }
  }

  /** The last closed day that is past, or null. */
  private async lastPast(oid: string | null): Promise<AuditDay | null> {
    const first = this.at.firstKept();
    if (first === null) return null;
    const [last] = await this.days.list(oid, first, 1);
    return last ?? null;
  }

  private async remove(oid: string | null, { _id, day, file }: AuditDay): Promise<void> {
    await this.lines.cutBefore(oid, endOf(day));
    await this.unitOfWork.run(async (tx) => {
      if (await this.days.remove(_id, tx)) await this.remover.planForLater(oid ?? NO_ORG, [file], tx);
    });
  }
}
