import type { Redis } from 'ioredis';
import type { InstanceKeys } from '../../formats/redis-keys/run-keys.js';
import type { JournalEntry } from '../protocol.js';
import { readTail, type TailBatch } from './line-tail.js';

/**
 * Copies pages and log lines from the instance's journal into the lists of the run. The offset moves in the same
 * transaction, so each is copied once. After a loss of Redis everything is copied again; pages have ids.
 */
export class JournalFeed {
  private told: number | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly keys: InstanceKeys,
    private readonly path: string,
  ) {}

  forget(): void {
    this.told = undefined;
  }

  async run(): Promise<void> {
    let told = this.told ?? Number((await this.redis.hget(this.keys.offsets, 'journal')) ?? 0);
    for (;;) {
      const { entries, end }: TailBatch<JournalEntry> = await readTail(this.path, told);
      this.told = told;
      if (end === told) return;
      const batch = this.redis.multi();
      for (const entry of entries) {
        const [list, message] = this.toMessage(entry);
        if (list) batch.lpush(list, message);
        if (entry.t === 'original') batch.sadd(this.keys.requiredCrawls, entry.itemId);
      }
      await batch.hset(this.keys.offsets, 'journal', end).exec();
      told = end;
    }
  }

  private toMessage(entry: JournalEntry): [list: string | null, message: string] {
    switch (entry.t) {
      case 'page':
        return [this.keys.pages, JSON.stringify(entry.row)];
      case 'qaPage':
        return [this.keys.pages, JSON.stringify({ ...entry.row, comparison: entry.comparison })];
      case 'log':
        return [entry.list === 'error' ? this.keys.errors : this.keys.behaviors, JSON.stringify(entry.line)];
      default:
        return [null, ''];
    }
  }
}
