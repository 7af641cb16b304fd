import { Injectable } from '@nestjs/common';
import { wireTime, wireSecond } from '../common/validation/date-time.js';
import type { Item } from '../items/data/item.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { CrawlsNotFound } from './crawls.errors.js';
import { CrawlStatsQueries } from './data/crawl-stats.queries.js';
import { wholeSecond } from '../common/units/durations.js';

const COLUMNS = [
  ...['id', 'oid', 'org', 'cid', 'name', 'state', 'userid', 'user'],
  ...['started', 'finished', 'duration', 'pages', 'filesize', 'avg_page_time'],
];

interface Names {
  readonly slug: string;
  readonly email: string;
}

/** Crawls as a table for spreadsheets. Contract: crawling §5.10. */
@Injectable()
export class CrawlStatistics {
  constructor(
    private readonly queries: CrawlStatsQueries,
    private readonly orgs: OrgsRepository,
    private readonly users: UsersRepository,
  ) {}

  /**
   * The lines of the table, its head first.
   * @param oid null: all orgs. @throws CrawlsNotFound when there are no crawls
   */
  async lines(oid: string | null): Promise<AsyncIterable<string>> {
    const crawls = this.queries.crawls(oid);
    const first = await crawls.next();
    if (first.done) throw new CrawlsNotFound();
    return this.rows(first.value, crawls);
  }

  private async *rows(first: Item, others: AsyncIterable<Item>): AsyncGenerator<string> {
    const slugs = new Map<string, string>();
    const emails = new Map<string, string>();
    const row = async (item: Item): Promise<string> => {
      if (!slugs.has(item.oid)) slugs.set(item.oid, (await this.orgs.findById(item.oid))?.slug ?? '');
      if (!emails.has(item.userid)) emails.set(item.userid, (await this.users.findById(item.userid))?.email ?? '');
      return toRow(item, { slug: slugs.get(item.oid) ?? '', email: emails.get(item.userid) ?? '' });
    };
    yield csvLine(COLUMNS);
    yield await row(first);
    for await (const item of others) yield await row(item);
  }
}

export function toRow(item: Item, { slug, email }: Names): string {
  const { started, finished, name } = item;
  const durationSeconds = finished ? Math.floor((finished.getTime() - wholeSecond(started).getTime()) / 1000) : 0;
  const pages = item.stats?.done ?? 0;
  return csvLine([
    ...[item._id, item.oid, slug, item.cid ?? '', name ? `"${name}"` : '', item.state, item.userid, email],
    ...[wireSecond(started), finished ? wireTime(finished) : '', durationSeconds, pages, item.fileSize ?? 0],
    pages > 0 ? Math.floor(durationSeconds / pages) : 0,
  ]);
}

/** Formats one line. All texts are quoted, numbers are not. */
function csvLine(values: readonly (string | number)[]): string {
  const cells = values.map((value) => (typeof value === 'number' ? String(value) : `"${value.replaceAll('"', '""')}"`));
  return `${cells.join(',')}\r\n`;
}
