import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstanceStatus } from '../../../../crawler/protocol.js';
import type { ProcessIdentity } from '../processes.js';

/** What the driver keeps of a run over its own restarts. It holds no secrets. */
export interface RunRecord {
  readonly jobId: string;
  readonly oid: string;
  readonly storage: { ref: { name: string; custom: boolean }; keyPrefix: string };
  /** Key of the profile to write back. It is relative to `<oid>/`. */
  profileKey?: string;
  /** When the run was first wanted, in ms since the epoch. It decides the order of places. */
  readonly sinceMs: number;
  /** The last request, which outlives the child. A stop wins over a pause, and a cancel over both. */
  request?: 'stop' | 'pause' | 'cancel';
  /** Whether a pause was lifted. The next `ensure` then starts the run again although it exited 0. */
  resumed?: boolean;
  /** Exclusions that were asked for while no child ran. The next child is told of them. */
  readonly exclusions: { add: boolean; regex: string }[];
  found: number;
  done: number;
  failReason?: string;
  /** The last run; times are in ISO format. `exitCode` is absent while the child runs. */
  run?: { startedAt: string; exitedAt?: string; exitCode?: number; status?: InstanceStatus; oom?: boolean };
  /** Crashes in a row, and the time at which the next start is due, in ms. */
  crashes: number;
  retryAtMs: number;
  /** Starts in a row that died without exceeding `reached`, the greatest number of pages that any start has come to. */
  fruitless?: number;
  reached?: number;
  child?: ProcessIdentity;
  /** Files that are in the object store and not acknowledged, by their names in `out/`. */
  stored: Record<string, { key: string; size: number; hash: string }>;
  profileUpload?: { size: number; hash: string; modified: string };
  /** Items that hold bodies which the run's records refer to. */
  requiredCrawls?: string[];
}

export function newRecord(run: Pick<RunRecord, 'jobId' | 'oid' | 'storage' | 'sinceMs'>): RunRecord {
  return { ...run, exclusions: [], found: 0, done: 0, crashes: 0, retryAtMs: 0, stored: {} };
}

/** Most items that a run needs. What a child says is bounded, since it shows pages of anybody. */
const MAX_REQUIRED = 10_000;

/** Notes that the run needs these items. */
export function noteRequired(record: RunRecord, itemIds: readonly unknown[]): void {
  const known = (record.requiredCrawls ??= []);
  for (const id of itemIds)
    if (typeof id === 'string' && known.length < MAX_REQUIRED && !known.includes(id)) known.push(id);
}

/** The records `<DATA_DIR>/work/.driver/<jobId>.json`. They are apart from the directories, which the children own. */
export class RunRecords {
  constructor(readonly folder: string) {}

  async list(): Promise<string[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  }

  /**
   * Loads a record. Null when there is none, or it is unreadable. The run then starts anew beside the existing files.
   */
  async load(jobId: string): Promise<RunRecord | null> {
    try {
      return JSON.parse(await readFile(this.path(jobId), 'utf8')) as RunRecord;
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Saves a record. The file appears whole or not at all, and is on disk when this returns. */
  async save(record: RunRecord): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const draft = join(this.folder, `${record.jobId}.${randomBytes(6).toString('hex')}`);
    try {
      const handle = await open(draft, 'wx', 0o600);
      try {
        await handle.writeFile(JSON.stringify(record));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, this.path(record.jobId));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async delete(jobId: string): Promise<void> {
    await rm(this.path(jobId), { force: true });
    for (const name of [`${jobId}.log`, `${jobId}.tunnel.log`]) await rm(join(this.folder, name), { force: true });
  }

  private path(jobId: string): string {
    return join(this.folder, `${jobId}.json`);
  }
}

/** The file of one record. Saves follow one another, so that the last one stays. */
export class RecordFile {
  private saving: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly records: RunRecords,
    private readonly record: RunRecord,
  ) {}

  save(): Promise<void> {
    const next = this.saving
      .catch(() => undefined)
      .then(() => (this.closed ? undefined : this.records.save(this.record)));
    this.saving = next;
    return next;
  }

  /** Prevents further writes, also of saves that wait. */
  close(): void {
    this.closed = true;
  }

  /** Resolves when the save under way is over. */
  async settled(): Promise<void> {
    await this.saving.catch(() => undefined);
  }
}
