import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cdxjLine, compactTimestamp } from '../../formats/cdx/cdxj.js';
import { SortedLines } from '../../formats/cdx/sorted-lines.js';
import { type AppendLog, readLog } from '../base/append-log.js';
import { Serial } from '../base/serial.js';
import { errorText, nowIso } from '../base/time.js';
import type { Channel } from '../channel/channel.js';
import type { Logger } from '../channel/logger.js';
import { Signatures } from '../channel/signatures.js';
import type { StateLog } from '../crawl/state-log.js';
import { WORK_FILES, type JournalEntry, type OutputFile } from '../protocol.js';
import type { Target } from '../warc/capture-writer.js';
import type { CdxLine } from '../warc/cdx.js';
import type { UsedOriginals } from '../warc/used-originals.js';
import { WarcFile } from '../warc/warc-file.js';
import { waczName } from '../../formats/wacz/wacz-name.js';
import { uniqueName } from './unique-name.js';
import { packWacz, publishPacked } from './packer.js';
import { removePageFiles, writePageFiles } from './page-files.js';

export interface SegmentSettings {
  readonly dir: string;
  readonly jobId: string;
  readonly storageFilename: string;
  readonly warcPrefix: string;
  readonly title?: string;
  readonly asksSignatures?: boolean;
  /** Number of this instance in the run; it is part of the files' names. */
  readonly shared?: { index: number };
}

interface Segment {
  readonly index: number;
  readonly wacz: string;
  readonly target: Target;
}

interface Services {
  readonly channel: Channel;
  readonly logger: Logger;
  readonly state: StateLog;
  readonly cdx: AppendLog;
  readonly originals: UsedOriginals;
}

/**
 * The WACZs of a run: one open at a time, closed ones packed in the background. WARC files have the number of their
 * segment in their name, so that a later process of the run knows it.
 */
export class Segments {
  /** Where the service's answers go when signatures are asked for. */
  readonly signatures: Signatures;
  /** The browser that records, with its version, once it is known. */
  browser: string | undefined;
  private current: Segment | null = null;
  private readonly taken = new Set<string>();
  private readonly packing = new Serial();
  private lastIndex = -1;
  private openedAt = 0;
  private failure: Error | null = null;

  constructor(
    private readonly settings: SegmentSettings,
    private readonly services: Services,
  ) {
    this.signatures = new Signatures(services.channel, services.logger);
  }

  get target(): Target {
    if (!this.current) throw new Error('no segment is open');
    return this.current.target;
  }

  get wacz(): string {
    return this.target.wacz;
  }

  /** Bytes of WARC in the open segment. */
  get bytes(): number {
    return this.current ? this.current.target.rec.bytes + this.current.target.aux.bytes : 0;
  }

  get ageMs(): number {
    return Date.now() - this.openedAt;
  }

  /** The failure to pack (disk full), if any. The files that it would have packed still exist. */
  get packFailure(): Error | null {
    return this.failure;
  }

  /** Opens the segment that a former process left open, with new WARC files, or opens the first one. */
  async open(former: readonly { wacz: string; index: number; packed: boolean }[]): Promise<void> {
    for (const { wacz, index } of former) {
      this.taken.add(wacz);
      this.lastIndex = Math.max(this.lastIndex, index);
    }
    const last = former.at(-1);
    const goesOn = last && !last.packed && !(await this.announced(last.wacz));
    for (const segment of former) if (!segment.packed && !(goesOn && segment === last)) this.pack(segment);
    if (goesOn) await this.enter(last.index, last.wacz);
    else await this.enterNext();
  }

  /** Packs the leftovers of former processes and opens nothing new. Returns when all is packed. */
  async packLeftovers(former: readonly { wacz: string; index: number; packed: boolean }[]): Promise<void> {
    for (const segment of former) if (!segment.packed) this.pack(segment);
    await this.packed();
  }

  /** Closes the open segment at a record boundary and opens the next. Packs the closed one in the background. */
  async rollOver(): Promise<void> {
    const closed = this.current;
    await this.enterNext();
    if (closed) await this.closeAndPack(closed);
  }

  /** Closes the open segment and packs it. Returns when everything is packed. */
  async finish(): Promise<void> {
    const closed = this.current;
    if (closed) {
      this.services.logger.info('general', 'Packing', { wacz: closed.wacz });
      await this.services.logger.switchTo(this.logPath(closed.index + 1));
      await this.closeAndPack(closed);
      this.current = null;
    }
    await this.packed();
  }

  /** Closes the writers and packs nothing. The next process continues the segment. */
  async suspend(): Promise<void> {
    const closed = this.current;
    this.current = null;
    if (closed) await closeTarget(closed.target);
    await this.packing.idle();
  }

  async sync(): Promise<void> {
    const target = this.current?.target;
    if (!target) return;
    await Promise.all([target.rec.sync(), target.aux.sync()]);
  }

  private async packed(): Promise<void> {
    await this.packing.idle();
    if (this.failure) throw this.failure;
  }

  private async enterNext(): Promise<void> {
    const { storageFilename, jobId, shared } = this.settings;
    const wacz = uniqueName(waczName(storageFilename, jobId, shared?.index ?? 0, nowIso()), this.taken);
    this.taken.add(wacz);
    this.lastIndex++;
    await this.services.state.append({ t: 'segment', wacz, index: this.lastIndex });
    await this.enter(this.lastIndex, wacz);
  }

  private async enter(index: number, wacz: string): Promise<void> {
    const rec = await WarcFile.create(this.warcPath(index, 'rec'));
    const aux = await WarcFile.create(this.warcPath(index, 'aux'));
    await this.services.logger.switchTo(this.logPath(index));
    this.openedAt = Date.now();
    this.current = { index, wacz, target: { rec, aux, wacz, inFlight: new Set() } };
  }

  private warcPath(index: number, kind: 'rec' | 'aux'): string {
    const { dir, warcPrefix, jobId } = this.settings;
    const prefix = warcPrefix ? `${warcPrefix}-` : '';
    return join(dir, WORK_FILES.archiveDir, `${prefix}${jobId}-${kind}-${index}-${compactTimestamp(nowIso())}.warc.gz`);
  }

  private logPath(index: number): string {
    return join(this.settings.dir, WORK_FILES.logsDir, `crawl-${index}.log`);
  }

  private pagesPath(index: number): string {
    return join(this.settings.dir, `pages-${index}`);
  }

  private async closeAndPack(segment: Segment): Promise<void> {
    await closeTarget(segment.target);
    this.pack(segment);
  }

  private pack(segment: { index: number; wacz: string }): void {
    this.packing
      .run(() => this.packNow(segment))
      .catch((error: Error) => {
        this.failure ??= error;
        this.services.logger.error('general', 'Packing failed', { wacz: segment.wacz, error: errorText(error) });
      });
  }

  private async packNow({ index, wacz }: { index: number; wacz: string }): Promise<void> {
    const { channel, state, cdx, originals } = this.services;
    const { dir, title, asksSignatures } = this.settings;
    const path = join(dir, WORK_FILES.outDir, wacz);
    const warcs = await this.warcsOf(index);
    const before = await this.announced(wacz);
    if (before) await publishPacked(path, before);
    else {
      await cdx.sync();
      await mkdir(dirname(path), { recursive: true });
      const logs = [this.logPath(index)].filter((path) => existsSync(path));
      if (logs.length === 0) await writeEmpty(this.logPath(index), logs);
      const { lines, used } = await linesOf(dir, wacz);
      const pages = await writePageFiles(join(dir, WORK_FILES.pages), wacz, this.pagesPath(index));
      try {
        // A segment that was opened by a roll-over after the last page is empty.
        if (!lines.isEmpty || pages.count > 0) {
          const requires = originals.list(used);
          const contents = { warcs, logs, index: lines, pages, title, requires, browser: this.browser };
          const file = await packWacz(path, contents, asksSignatures ? this.signatures.of : undefined);
          const tell = await channel.journalQuietly({ t: 'wacz', file });
          await channel.sync();
          await publishPacked(path, file);
          tell();
        }
      } finally {
        await lines.close();
      }
      await removePageFiles(pages);
    }
    await state.append({ t: 'packed', wacz });
    await state.sync();
    for (const warc of warcs) await rm(warc, { force: true });
  }

  private async warcsOf(index: number): Promise<string[]> {
    const folder = join(this.settings.dir, WORK_FILES.archiveDir);
    const mine = new RegExp(`-(?:rec|aux)-${index}-\\d+\\.warc\\.gz$`);
    const names = (await readdir(folder)).filter((name) => mine.test(name)).sort();
    return names.map((name) => join(folder, name));
  }

  /** The file that this or a former process packed from a segment. */
  private async announced(wacz: string): Promise<OutputFile | null> {
    for await (const entry of readLog<JournalEntry>(join(this.settings.dir, WORK_FILES.events))) {
      if (entry.t === 'wacz' && entry.file.file === wacz) return entry.file;
    }
    return null;
  }
}

/**
 * Brings the WARC files of a killed process to their last indexed record and drops index lines that point beyond a
 * file's end. Returns the valid lines.
 */
export async function repairArchive(dir: string): Promise<CdxLine[]> {
  const folder = join(dir, WORK_FILES.archiveDir);
  const cdxPath = join(dir, WORK_FILES.cdx);
  await mkdir(folder, { recursive: true });
  const sizes = new Map<string, number>();
  for (const name of await readdir(folder)) sizes.set(name, (await stat(join(folder, name))).size);
  const ends = new Map<string, number>();
  const lines: CdxLine[] = [];
  let dropped = false;
  for await (const line of readLog<CdxLine>(cdxPath)) {
    const size = sizes.get(line.fields.filename);
    if (size !== undefined && line.end > size) {
      dropped = true;
      continue;
    }
    ends.set(line.fields.filename, Math.max(ends.get(line.fields.filename) ?? 0, line.end));
    lines.push(line);
  }
  for (const [name, size] of sizes) {
    const end = ends.get(name);
    // A file without indexed records holds at most a warcinfo.
    if (end === undefined) await rm(join(folder, name));
    else if (end < size) await truncate(join(folder, name), end);
  }
  if (dropped) await writeFile(cdxPath, lines.map((line) => JSON.stringify(line) + '\n').join(''), { mode: 0o600 });
  return lines;
}

async function closeTarget(target: Target): Promise<void> {
  await Promise.allSettled(target.inFlight);
  await Promise.all([target.rec.close(), target.aux.close()]);
}

/** The index of a WACZ, and the numbers of the originals in other items that its records refer to. */
async function linesOf(dir: string, wacz: string): Promise<{ lines: SortedLines; used: Set<number> }> {
  const lines = new SortedLines(dir);
  const used = new Set<number>();
  for await (const line of readLog<CdxLine>(join(dir, WORK_FILES.cdx))) {
    if (line.wacz !== wacz) continue;
    if (line.original !== undefined) used.add(line.original);
    await lines.add(cdxjLine(line));
  }
  return { lines, used };
}

async function writeEmpty(path: string, logs: string[]): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, '', { mode: 0o600 });
  logs.push(path);
}
