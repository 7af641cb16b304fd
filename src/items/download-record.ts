import { Injectable } from '@nestjs/common';
import type { AuthedRequest } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { parseRangeHeader } from '../storage/byte-range.js';
import { DownloadLogsRepository } from './data/download-logs.repository.js';
import type { NamedDownload } from './item-downloads.js';

/** Keeps who downloaded which item. Files that players and clients fetch by presigned addresses pass it by. */
@Injectable()
export class DownloadRecord {
  constructor(
    private readonly logs: DownloadLogsRepository,
    private readonly clock: Clock,
  ) {}

  /** Records the beginning of a download; the ranges that go on with it are not counted again. */
  async began(request: AuthedRequest, of: { oid: string; itemId: string }, sent: NamedDownload): Promise<void> {
    const { principal } = request;
    if (!principal || request.method !== 'GET' || !isBeginning(request.headers.range)) return;
    const { id: userid, name, email } = principal;
    const entry = { at: this.clock.timestamp(), userid, userName: name || email, filename: sent.filename };
    await this.logs.record(of.oid, of.itemId, entry);
  }
}

function isBeginning(header: string | undefined): boolean {
  const range = parseRangeHeader(header);
  return !range || ('start' in range && range.start === 0);
}
