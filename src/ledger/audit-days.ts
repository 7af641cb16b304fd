import { Injectable } from '@nestjs/common';
import { wireTime } from '../common/validation/date-time.js';
import type { ObjectBody } from '../storage/object-store.js';
import { ObjectNotFound } from '../storage/storage.errors.js';
import { Storages } from '../storage/storages.js';
import { AuditChainsRepository } from './data/audit-chains.repository.js';
import type { AuditDay } from './data/audit-day.schema.js';
import { AuditDaysRepository } from './data/audit-days.repository.js';
import type { AuditCheckpoint } from './data/chain.facts.js';
import type { AuditCheckpointOut, AuditDayOut, AuditDaysOut, AuditDaysQuery } from './dto/audit.dto.js';
import { AuditDayNotFound } from './ledger.errors.js';
import { checkpointText } from './rules/checkpoint-text.js';

/** Closed days and their files. @param oid of every method: the org, or null for the entries that belong to none */
@Injectable()
export class AuditDays {
  constructor(
    private readonly days: AuditDaysRepository,
    private readonly chains: AuditChainsRepository,
    private readonly storages: Storages,
  ) {}

  /** @param origin of this service, for the files' addresses */
  async list(oid: string | null, { before, pageSize }: AuditDaysQuery, origin: string): Promise<AuditDaysOut> {
    const [found, chain] = await Promise.all([
      this.days.list(oid, before ?? null, pageSize + 1),
      this.chains.find(oid),
    ]);
    const shown = found.slice(0, pageSize);
    return {
      items: shown.map((day) => toDayOut(day, `${origin}/api/orgs/${oid ?? 'all'}/audit/days/${day.day}/file`)),
      next: found.length > pageSize ? (shown.at(-1)?.day ?? null) : null,
      checkpoint: chain?.checkpoint ? toCheckpointOut(oid, chain.checkpoint) : null,
    };
  }

  /** Opens the file of a day. @throws AuditDayNotFound */
  async open(oid: string | null, day: string, signal: AbortSignal): Promise<ObjectBody> {
    const closed = await this.days.find(oid, day);
    if (!closed) throw new AuditDayNotFound();
    try {
      const { storage, filename } = closed.file;
      return await this.storages.resolveDefault(storage).get(filename, { signal });
    } catch (error) {
      if (error instanceof ObjectNotFound) throw new AuditDayNotFound(undefined, { cause: error });
      throw error;
    }
  }
}

const toDayOut = ({ day, count, previous, digest, closed, file }: AuditDay, url: string): AuditDayOut => ({
  ...{ day, count, size: file.size, sha256: file.hash, previous, digest, closed: wireTime(closed), url },
});

const toCheckpointOut = (oid: string | null, checkpoint: AuditCheckpoint): AuditCheckpointOut => {
  const { day, digest, cutAt, keyId, signature } = checkpoint;
  return { day, digest, cutAt: wireTime(cutAt), keyId, text: checkpointText(oid, checkpoint), signature };
};
