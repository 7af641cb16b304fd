import { Injectable } from '@nestjs/common';
import { ROLE, type Principal } from '../../common/access/access.js';
import { canonicalUuid } from '../../common/ids/uuid.js';
import { baseName } from '../../common/text/base-name.js';
import { wireTime, wireTimeOrNull } from '../../common/validation/date-time.js';
import { invalidInput } from '../../common/validation/issue.js';
import { CollectionsRepository } from '../../collections/data/collections.repository.js';
import { ItemReader } from '../../items/item-reader.js';
import { showsFiles } from '../../items/data/item-state.facts.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import { UserOrgs } from '../../orgs/members/user-orgs.js';
import { PresignedFiles } from '../../storage/presigned-files.js';
import { WebdataQueries, type WebdataFilter, type WebdataRow } from '../data/webdata.queries.js';
import type { WebdataFile, WebdataFilePath, WebdataOut, WebdataQuery } from '../dto/webdata.dto.js';
import { AccountNotFound, WebdataFileNotFound } from '../exchange.errors.js';
import { globPattern } from '../rules/glob.js';
import { readCursor, writeCursor } from '../rules/webdata-cursor.js';

const PATH = '/wasapi/v1/webdata';
/** Files that a page asked for by its number may lie behind the first; `next` leads further. */
const MAX_SKIPPED = 1_000_000;

export interface WebdataRequest {
  readonly caller: Principal;
  /** Base of addresses in the answer. */
  readonly origin: string;
  /** Path and query as asked. */
  readonly url: string;
}

/** Lists the files of the caller's orgs as WASAPI does. */
@Injectable()
export class Webdata {
  constructor(
    private readonly queries: WebdataQueries,
    private readonly orgs: OrgsRepository,
    private readonly userOrgs: UserOrgs,
    private readonly collections: CollectionsRepository,
    private readonly items: ItemReader,
    private readonly presigned: PresignedFiles,
  ) {}

  /** @throws AccountNotFound, InputRefused */
  async list(query: WebdataQuery, { caller, origin, url }: WebdataRequest): Promise<WebdataOut> {
    const filter = await this.filterOf(query, caller);
    const { rows, count } = await this.rowsOf(query, filter);
    const shown = rows.slice(0, query.page_size);
    const [last] = shown.slice(-1);
    const orgs = new Map((await this.orgs.findByIds([...new Set(shown.map(({ oid }) => oid))])).map((o) => [o._id, o]));
    const pageAt = (page: number, cursor?: string): string => `${origin}${withPage(url, page, cursor)}`;
    return {
      count,
      next:
        rows.length > query.page_size && last
          ? pageAt(query.page + 1, writeCursor({ ...last, itemId: last._id, count }))
          : null,
      previous: query.page > 1 ? pageAt(query.page - 1) : null,
      'includes-extra': false,
      'request-url': `${origin}${withoutToken(url)}`,
      files: shown.flatMap((row) => {
        const org = orgs.get(row.oid);
        return org ? [this.present(org, row, { origin, wanted: filter.collectionIds })] : [];
      }),
    };
  }

  /** An address at which the file can be read for a while. @throws ItemNotFound, WebdataFileNotFound */
  async locate(org: Org, { crawl_id: itemId, filename }: WebdataFilePath, origin: string): Promise<string> {
    const item = await this.items.get(org._id, itemId);
    const file = item.files.find((one) => baseName(one.filename) === filename);
    if (!file || !showsFiles(item.state)) throw new WebdataFileNotFound();
    return this.presigned.absoluteUrl(org, file, origin);
  }

  private async rowsOf(query: WebdataQuery, filter: WebdataFilter): Promise<{ rows: WebdataRow[]; count: number }> {
    if (filter.oids.length === 0) return { rows: [], count: 0 };
    // One more than is shown tells whether there is a next page.
    const limit = query.page_size + 1;
    if (query.cursor !== undefined) {
      const cursor = readCursor(query.cursor);
      if (!cursor) throw invalidInput(['query', 'cursor'], 'Value error, not a cursor of this list', query.cursor);
      return { rows: await this.queries.after(filter, cursor, limit), count: cursor.count };
    }
    const skip = (query.page - 1) * query.page_size;
    if (skip > MAX_SKIPPED)
      throw invalidInput(['query', 'page'], 'Value error, follow `next` to pages this far', query.page);
    const [rows, count] = await Promise.all([this.queries.page(filter, { skip, limit }), this.queries.count(filter)]);
    return { rows, count };
  }

  private async filterOf(query: WebdataQuery, caller: Principal): Promise<WebdataFilter> {
    const oids = await this.accountsOf(caller, query.account);
    const isOtherType = query.filetype !== undefined && query.filetype.toLowerCase() !== 'wacz';
    const filename = query.filename === undefined ? undefined : globPattern(query.filename);
    if (filename === null)
      throw invalidInput(['query', 'filename'], 'Value error, too many names or stars', query.filename);
    return {
      oids: isOtherType ? [] : oids,
      itemIds: query.crawl,
      collectionIds: query.collection && (await this.collectionsOf(oids, query.collection)),
      started: { from: query['crawl-start-after'], until: query['crawl-start-before'] },
      made: { from: query['crawl-time-after'], until: query['crawl-time-before'] },
      filename,
    };
  }

  /** The orgs that the caller may view: all of them, or the one asked for. */
  private async accountsOf(caller: Principal, account: string | undefined): Promise<string[]> {
    const all = (await this.userOrgs.openTo(caller)).filter(({ role }) => role >= ROLE.viewer);
    if (account === undefined) return all.map(({ id }) => id);
    const found = all.find(({ id, slug }) => slug === account || id === canonicalUuid(account));
    if (!found) throw new AccountNotFound();
    return [found.id];
  }

  /** Ids as they are, and of the collections that have a slug in any of the orgs. */
  private async collectionsOf(oids: readonly string[], asked: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const one of new Set(asked)) {
      const id = canonicalUuid(one);
      if (id) ids.push(id);
      else
        for (const oid of oids) {
          const found = await this.collections.findBySlug(oid, one);
          if (found) ids.push(found._id);
        }
    }
    return ids;
  }

  private present(
    org: Org,
    { _id: itemId, started, finished, collectionIds, files: file }: WebdataRow,
    { origin, wanted }: { origin: string; wanted?: readonly string[] },
  ): WebdataFile {
    const filename = baseName(file.filename);
    const collections = collectionIds ?? [];
    const path = [org._id, itemId, filename].map(encodeURIComponent).join('/');
    return {
      filename,
      filetype: 'wacz',
      checksums: file.hash ? { sha256: file.hash } : {},
      account: org.slug,
      size: file.size,
      collection: collections.find((id) => wanted?.includes(id)) ?? collections[0] ?? null,
      collections,
      crawl: itemId,
      'crawl-time': wireTimeOrNull(finished ?? started),
      'crawl-start': wireTime(started),
      locations: [`${origin}${PATH}/${path}`, this.presigned.absoluteUrl(org, file, origin)],
    };
  }
}

/** The address of another page of the same list. */
function withPage(url: string, page: number, cursor: string | undefined): string {
  const { pathname, searchParams } = new URL(url, 'http://list');
  searchParams.set('page', String(page));
  searchParams.delete('cursor');
  searchParams.delete('auth_bearer');
  if (cursor !== undefined) searchParams.set('cursor', cursor);
  return `${pathname}?${searchParams.toString()}`;
}

/** A token is for its request only. */
function withoutToken(url: string): string {
  const { pathname, search, searchParams } = new URL(url, 'http://list');
  if (!searchParams.has('auth_bearer')) return `${pathname}${search}`;
  searchParams.delete('auth_bearer');
  return [pathname, searchParams.toString()].filter((part) => part !== '').join('?');
}
