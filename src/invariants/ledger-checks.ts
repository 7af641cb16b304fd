import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Checkpoints } from '../ledger/checkpoints.js';
import type { AuditChain } from '../ledger/data/audit-chain.schema.js';
import { AuditChainsRepository } from '../ledger/data/audit-chains.repository.js';
import type { AuditDay } from '../ledger/data/audit-day.schema.js';
import { AuditDaysRepository } from '../ledger/data/audit-days.repository.js';
import { AuditLinesRepository } from '../ledger/data/audit-lines.repository.js';
import { FIRST_DIGEST } from '../ledger/data/chain.facts.js';
import { digestOf, endOf, startOf } from '../ledger/rules/audit-day.js';
import { lineTextOf } from '../ledger/rules/audit-line.js';
import { ObjectNotFound } from '../storage/storage.errors.js';
import { Storages } from '../storage/storages.js';
import type { ReportViolation } from './counter-checks.js';
import { persisting, type Violation } from './violation.js';

type Value = Violation['stored'];
type Told = (field: string, stored: Value, expected: Value) => void;

/** The end of the part of a chain that has been checked. */
interface Reached {
  readonly day: string | null;
  readonly digest: string;
}

/**
 * Checks the audit log: each closed day's file has the recorded digest, the days are a chain from the first one or from
 * a checkpoint that the installation has signed, and the lines in the database are those of the files. ADR 0054.
 */
@Injectable()
export class LedgerChecks {
  constructor(
    private readonly chains: AuditChainsRepository,
    private readonly days: AuditDaysRepository,
    private readonly lines: AuditLinesRepository,
    private readonly checkpoints: Checkpoints,
    private readonly storages: Storages,
  ) {}

  /** @returns the number of closed days. @throws StorageError when a storage does not answer */
  async check(found: ReportViolation): Promise<number> {
    let checked = 0;
    for await (const { oid } of this.chains.all()) {
      let days = 0;
      const read = async (): Promise<Violation[]> => {
        const violations: Violation[] = [];
        days = await this.checkChain(oid, (violation) => violations.push(violation));
        return violations;
      };
      // The service may close or cut days meanwhile.
      (await persisting(read)).forEach(found);
      checked += days;
    }
    return checked;
  }

  private async checkChain(oid: string | null, found: ReportViolation): Promise<number> {
    const chain = await this.chains.find(oid);
    if (!chain) return 0;
    const { _id: chainId } = chain;
    const tells =
      (id: string): Told =>
      (field, stored, expected) =>
        found({ subject: 'auditDay', oid, id, field, stored, expected });
    let reached = await this.beginning(chain, tells(chainId));
    let checked = 0;
    for await (const day of this.days.inOrder(oid)) {
      // A cut that a crash has left half done is completed by the service.
      if (reached.day !== null && day.day <= reached.day) continue;
      await this.checkDay(day, reached, tells(`${chainId}/${day.day}`));
      reached = day;
      checked += 1;
    }
    await this.checkEnd(oid, reached, tells(chainId));
    return checked;
  }

  /** Where the chain begins to be checked: at its first day, or behind what was cut. */
  private async beginning({ oid, checkpoint }: AuditChain, tell: Told): Promise<Reached> {
    if (!checkpoint) return { day: null, digest: FIRST_DIGEST };
    if (await this.checkpoints.isValid(oid, checkpoint)) return checkpoint;
    tell('signed checkpoint', checkpoint.day, null);
    return { day: null, digest: FIRST_DIGEST };
  }

  private async checkDay(closed: AuditDay, before: Reached, tell: Told): Promise<void> {
    const { oid, day, count, previous, digest, file } = closed;
    if (previous !== before.digest) tell('digest of the day before', previous, before.digest);
    const expected = digestOf({ previous, day, count, sha256: file.hash });
    if (digest !== expected) tell('digest', digest, expected);
    // Lines of days between two closed ones, which have no file, were added afterwards.
    const from = before.day === null ? new Date(0) : endOf(before.day);
    const added = await this.lines.firstFrom(oid, from);
    if (added && added < startOf(day)) tell('lines before the day', added.toISOString(), null);
    const lines = this.lines.of(oid, { from: startOf(day), to: endOf(day) });
    const stored = new LineDigest();
    for await (const line of lines) stored.add(lineTextOf(line));
    if (stored.count !== count) tell('lines in the database', stored.count, count);
    const read = await this.read(closed, tell);
    if (!read) return;
    if (read.sha256 !== file.hash) tell('SHA-256 of the file', read.sha256, file.hash);
    if (read.lines === null) tell('file', 'not readable', 'readable');
    else if (read.lines.count !== count) tell('lines in the file', read.lines.count, count);
    else if (stored.count === count && read.lines.hex !== stored.hex)
      tell('lines in the database', 'others', 'those of the file');
  }

  /** What is in the file: its digest, and its lines where it can be unpacked. @returns null when there is no file */
  private async read({ file }: AuditDay, tell: Told): Promise<{ sha256: string; lines: LineDigest | null } | null> {
    const hash = createHash('sha256');
    const lines = new LineDigest();
    try {
      const { body } = await this.storages.resolveDefault(file.storage).get(file.filename);
      return { lines: (await unpacked(body, hash, lines)) ? lines : null, sha256: hash.digest('hex') };
    } catch (error) {
      if (!(error instanceof ObjectNotFound)) throw error;
      tell('file', null, file.hash);
      return null;
    }
  }

  /** The chain's end is that of its last day, unless the service has closed another one meanwhile. */
  private async checkEnd(oid: string | null, reached: Reached, tell: Told): Promise<void> {
    const now = await this.chains.find(oid);
    if (!now || (now.day ?? '') === (reached.day ?? '')) {
      if (now && now.digest !== reached.digest) tell('digest of the last day', reached.digest, now.digest);
      return;
    }
    const last = now.day === null ? null : await this.days.find(oid, now.day);
    if (!last) tell('last day', reached.day, now.day);
  }
}

/** Counts and digests lines as they come. */
class LineDigest {
  private readonly hash = createHash('sha256');
  private digest: string | undefined;
  count = 0;

  add(line: string): void {
    this.hash.update(line);
    this.count += 1;
  }

  addBytes(bytes: Buffer): void {
    this.hash.update(bytes);
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) this.count += 1;
  }

  get hex(): string {
    return (this.digest ??= this.hash.digest('hex'));
  }
}

/** Reads a file to its end. @returns false when it is no whole gzip file; its bytes are digested all the same */
async function unpacked(body: Readable, hash: Hash, lines: LineDigest): Promise<boolean> {
  const gunzip = createGunzip();
  let isSound = true;
  const read = (async () => {
    try {
      for await (const bytes of gunzip) lines.addBytes(bytes as Buffer);
    } catch {
      isSound = false;
    }
  })();
  for await (const bytes of body) {
    hash.update(bytes as Buffer);
    if (!isSound || gunzip.write(bytes)) continue;
    await Promise.race([once(gunzip, 'drain').catch(() => undefined), read]);
  }
  gunzip.end();
  await read;
  return isSound;
}
