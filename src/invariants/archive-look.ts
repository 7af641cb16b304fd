import { baseName } from '../common/text/base-name.js';
import { isActive } from '../items/data/item-state.facts.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import type { StorageOwner } from '../storage/storages.js';
import {
  type ArchiveFault,
  isInShare,
  type ItemArchives,
  keyOf,
  placeOf,
  type Share,
  SoughtDigests,
} from './archive-needs.js';
import type { ArchiveReader, Unreadable } from './archive-reader.js';
import type { BodyLine } from './body-line.js';
import type { DependenciesQueries, ItemWithFiles } from './data/dependencies.queries.js';
import type { Violation } from './violation.js';

/** More shares would be of no use: no crawl has a hundred million bodies. */
const MOST_SHARES = 64;
/** Addresses of revisits without an original that are named. */
const MOST_NAMED = 3;

/** A violation, and the item in whose archives it was found. */
export interface Finding {
  readonly itemId: string;
  readonly violation: Violation;
}

/** What was read so far. */
export interface ArchivesRead {
  /** Indexes of archives, each as often as it was read. */
  indexes: number;
  /** Lines of these. */
  lines: number;
}

/** What the archives of some items of an org refer to, looked at once. */
export class ArchiveLook {
  private readonly found: Finding[] = [];
  private readonly unreadable = new Set<string>();
  private together: SoughtDigests[] = [];

  /**
   * @param mostDigests digests that are held together; items with more of them are read in shares
   * @param onRead called after each index with the number of its lines
   */
  constructor(
    private readonly owner: StorageOwner & { readonly _id: string },
    private readonly queries: DependenciesQueries,
    private readonly reader: ArchiveReader,
    private readonly mostDigests: number,
    private readonly onRead: (lines: number) => void,
  ) {}

  /** Archives that many of the items refer to are read once for as many of them as are held together. */
  async at(ids: readonly string[]): Promise<readonly Finding[]> {
    for (const item of await this.queries.filesOf(this.owner._id, ids)) {
      if (item.deleted || isActive(item.state ?? '')) continue;
      const archives = await this.archivesOf(item);
      if (archives) await this.seek(archives);
    }
    await this.settle();
    return this.found;
  }

  /** Reads what an item's archives name. @returns null when nothing can be said of their revisits */
  private async archivesOf({ _id: itemId, files, requiresCrawls }: ItemWithFiles): Promise<ItemArchives | null> {
    const known = new Set(requiresCrawls ?? []);
    const own = (files ?? []).filter(({ isPiece }) => !isPiece);
    const [named, items] = [new Map<string, StoredFile>(), new Map<string, readonly StoredFile[] | null>()];
    await this.find([...known], items);
    let isSure = true;
    for (const file of own) {
      const waczs = await this.reader.required(this.owner, file);
      if ('problem' in waczs) {
        this.tellUnreadable(itemId, file, waczs);
        isSure = false;
        continue;
      }
      const foreign = waczs.filter(({ crawlId }) => crawlId !== itemId);
      const asked = [...new Set(foreign.flatMap(({ crawlId }) => crawlId ?? []))];
      await this.find(asked, items);
      const by = baseName(file.filename);
      for (const id of asked.filter((one) => !known.has(one)))
        this.tell(itemId, { field: `${by}: requiresCrawls has ${id}`, stored: false, expected: true });
      for (const wacz of foreign) {
        const place = placeOf(wacz, items);
        if (place === 'takenDown') isSure = false;
        else if ('file' in place) named.set(keyOf(place.file), place.file);
        else this.tell(itemId, { ...place.fault, field: `${by}: ${place.fault.field}` });
      }
    }
    isSure &&= ![...known].some((id) => items.get(id) === null);
    const others = [...known].flatMap((id) => items.get(id) ?? []).map((file) => [keyOf(file), file] as const);
    return isSure ? { itemId, own, named, others: new Map(others.filter(([key]) => !named.has(key))) } : null;
  }

  /** Looks up the files of items that are not in the map yet. Kept ones come second: that is the way that items go. */
  private async find(ids: readonly string[], items: Map<string, readonly StoredFile[] | null>): Promise<void> {
    const asked = ids.filter((id) => !items.has(id));
    if (asked.length === 0) return;
    for (const { _id, files } of await this.queries.filesOf(this.owner._id, asked)) items.set(_id, files ?? []);
    const gone = asked.filter((id) => !items.has(id));
    for (const { _id, files, takenDownAt } of await this.queries.findKept(this.owner._id, gone))
      items.set(_id, takenDownAt ? null : files);
  }

  /** Takes the digests of an item, all together or in as many shares as are needed. */
  private async seek(item: ItemArchives): Promise<void> {
    for (let of = 1; of <= MOST_SHARES; of *= 2) {
      const mostHeld = of === MOST_SHARES ? Infinity : this.mostDigests;
      const first = await this.collect(item, { part: 0, of }, mostHeld);
      if (first === 'tooMany') continue;
      for (let part = 1, last = first; last && part <= of; part++) {
        await this.hold(last);
        if (part === of) return;
        const next = await this.collect(item, { part, of }, Infinity);
        last = next === 'tooMany' ? null : next;
      }
      return;
    }
  }

  private async hold(sought: SoughtDigests): Promise<void> {
    if (sought.isOpen) this.together.push(sought);
    if (this.together.reduce((sum, { digests }) => sum + digests.size, 0) >= this.mostDigests) await this.settle();
  }

  /** Reads a share of the item's own digests. @returns null when one of its archives cannot be read */
  private async collect(item: ItemArchives, share: Share, mostHeld: number): Promise<SoughtDigests | 'tooMany' | null> {
    const sought = new SoughtDigests(item, share);
    const { digests } = sought;
    for (const file of item.own) {
      const isRead = await this.read(item.itemId, file, ({ isRevisit, digest }) => {
        if (isInShare(digest, share)) digests[isRevisit ? 'refer' : 'have'](digest);
        return digests.size <= mostHeld;
      });
      if (!isRead) return null;
      if (digests.size > mostHeld) return 'tooMany';
    }
    return sought;
  }

  /** Looks for the bodies of all that are held, and tells which were not found. */
  private async settle(): Promise<void> {
    const { together } = this;
    this.together = [];
    await this.lookInto(together, 'named');
    await this.lookInto(together, 'others');
    for (const sought of together) if (sought.isOpen) await this.tellLacking(sought);
  }

  private async lookInto(together: readonly SoughtDigests[], which: 'named' | 'others'): Promise<void> {
    const archives = new Map<string, { file: StoredFile; by: SoughtDigests[] }>();
    for (const sought of together) {
      if (!sought.isOpen) continue;
      for (const [key, file] of sought.item[which]) {
        const archive = archives.get(key) ?? { file, by: [] };
        archive.by.push(sought);
        archives.set(key, archive);
      }
    }
    for (const { file, by } of archives.values()) {
      const open = by.filter(({ isOpen }) => isOpen);
      const [first] = open;
      if (!first) continue;
      const isRead = await this.read(first.item.itemId, file, ({ isRevisit, digest }) => {
        if (isRevisit) return true;
        for (const { digests } of open) digests.meet(digest);
        return open.some(({ isOpen }) => isOpen);
      });
      if (!isRead) for (const sought of open) sought.isUnsure = true;
    }
  }

  private async tellLacking({ item: { itemId, own }, share, digests }: SoughtDigests): Promise<void> {
    let count = 0;
    const urls = new Set<string>();
    for (const file of own) {
      const isRead = await this.read(itemId, file, ({ isRevisit, digest, url }) => {
        if (!isRevisit || !isInShare(digest, share) || !digests.lacks(digest)) return true;
        count += 1;
        if (urls.size < MOST_NAMED) urls.add(url);
        return true;
      });
      if (!isRead) return;
    }
    const field = `revisits whose original is in no archive that can be reached, such as ${[...urls].join(' ')}:`;
    this.tell(itemId, { field, stored: count, expected: 0 });
  }

  private async read(itemId: string, file: StoredFile, take: (line: BodyLine) => boolean): Promise<boolean> {
    if (this.unreadable.has(keyOf(file))) return false;
    const lines = await this.reader.lines(this.owner, file, take);
    if (typeof lines === 'number') this.onRead(lines);
    else this.tellUnreadable(itemId, file, lines);
    return typeof lines === 'number';
  }

  private tellUnreadable(itemId: string, file: StoredFile, { problem }: Unreadable): void {
    this.unreadable.add(keyOf(file));
    const stored =
      `unreadable (${problem}), so items that refer to it were not checked. ` +
      'See to its storage, let "muniment fixity" restore it from a replica, and check again: it is';
    const of = { subject: 'file', oid: this.owner._id, id: file.filename } as const;
    this.found.push({ itemId, violation: { ...of, field: 'archive', stored, expected: 'readable' } });
  }

  private tell(itemId: string, fault: ArchiveFault): void {
    this.found.push({ itemId, violation: { subject: 'item', oid: this.owner._id, id: itemId, ...fault } });
  }
}
