import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { SOFTWARE } from '../common/product.js';
import { wireTime, wireTimeOrNull } from '../common/validation/date-time.js';
import { DownloadLogsRepository } from '../items/data/download-logs.repository.js';
import { showsFiles } from '../items/data/item-state.facts.js';
import { ItemReader } from '../items/item-reader.js';
import type { Org } from '../orgs/data/org.schema.js';
import { CustodyFiles } from './custody-files.js';
import type { CustodyOut } from './dto/custody.dto.js';

export const KEYS_PATH = '/.well-known/muniment-keys.json';

/** Tells what an item's files are and what happened to them, for those who have to prove it. */
@Injectable()
export class Custody {
  constructor(
    private readonly reader: ItemReader,
    private readonly files: CustodyFiles,
    private readonly downloads: DownloadLogsRepository,
    private readonly clock: Clock,
  ) {}

  /** @param origin base of the address of the keys @throws ItemNotFound */
  async of(org: Org, itemId: string, origin: string): Promise<CustodyOut> {
    const item = await this.reader.get(org._id, itemId);
    const shown = showsFiles(item.state) ? item.files : [];
    const [files, log] = await Promise.all([
      this.files.of(org, { _id: itemId, files: shown }),
      this.downloads.of(org._id, itemId),
    ]);
    const runs = item.fixityRuns ?? (item.fixity ? [item.fixity] : []);
    return {
      id: item._id,
      oid: item.oid,
      type: item.type ?? 'crawl',
      name: item.name || null,
      state: item.state,
      started: wireTime(item.started),
      finished: wireTimeOrNull(item.finished),
      userName: item.userName,
      firstSeed: item.firstSeed ?? null,
      pageCount: item.pageCount ?? 0,
      cid: item.cid ?? null,
      workflowRevision: item.cid ? (item.cid_rev ?? 0) : null,
      crawlerImage: item.image || null,
      files,
      fixityRuns: runs.map(({ lastVerified, result }) => ({ lastVerified: wireTime(lastVerified), result })),
      downloadCount: log?.count ?? 0,
      downloads: (log?.last ?? []).map(({ at, userName, filename }) => ({ at: wireTime(at), userName, filename })),
      deleted: item.deleted ?? false,
      keys: `${origin}${KEYS_PATH}`,
      software: SOFTWARE,
      checked: wireTime(this.clock.timestamp()),
    };
  }
}
