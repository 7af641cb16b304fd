import { baseName } from '../common/text/base-name.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import type { NamedWacz } from '../wacz/required-items.js';
import { DigestSet } from './digest-set.js';
import type { Violation } from './violation.js';

/** Files of items and of kept ones, by item; null where somebody took them down, which is no fault (ADR 0043). */
export type FilesByItem = ReadonlyMap<string, readonly StoredFile[] | null>;

export type ArchiveFault = Pick<Violation, 'field' | 'stored' | 'expected'>;

/** The file that an archive names, or what is wrong with that. */
export type NamedPlace = { readonly file: StoredFile } | { readonly fault: ArchiveFault } | 'takenDown';

/** Finds the archive that another one names: by item, name, size and hash, as far as each is said. */
export function placeOf({ filename, crawlId, size, hash }: NamedWacz, items: FilesByItem): NamedPlace {
  const found = crawlId === null ? [...items.values()] : [items.get(crawlId) ?? (items.has(crawlId) ? null : [])];
  const named = found.flatMap((files) => files ?? []).filter((file) => baseName(file.filename) === filename);
  const [first] = named;
  if (!first && found.includes(null)) return 'takenDown';
  const of = `required archive ${filename ?? 'without a name'}${crawlId === null ? '' : ` of ${crawlId}`}`;
  if (!first) return { fault: { field: of, stored: null, expected: 'a file of an item or a kept one' } };
  const ofSize = named.filter((file) => size === null || file.size === size);
  if (ofSize.length === 0) return { fault: { field: `${of}: size`, stored: first.size, expected: size } };
  const file = ofSize.find((one) => isHash(one.hash, hash));
  return file ? { file } : { fault: { field: `${of}: hash`, stored: first.hash, expected: hash } };
}

/** A hash that nobody knows contradicts none. */
const isHash = (known: string, named: string | null): boolean => !known || !named || bare(known) === bare(named);
const bare = (hash: string): string => hash.toLowerCase().replace(/^sha-?256:/, '');

/** Names a file among all of an org's storages. */
export const keyOf = ({ storage, filename }: StoredFile): string =>
  `${String(storage.custom)} ${storage.name} ${filename}`;

/** Which digests of an item are held together: those whose last byte leaves `part` when it is divided by `of`. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

export const isInShare = (digest: Buffer, { part, of }: Share): boolean => digest[digest.length - 1]! % of === part;

/** The archives of an item, and those where bodies may be to which they refer. */
export interface ItemArchives {
  readonly itemId: string;
  readonly own: readonly StoredFile[];
  /** Archives that its own ones name, by `keyOf`. */
  readonly named: ReadonlyMap<string, StoredFile>;
  /** Further archives of items that it requires. Players are told of them too, so they are looked into last. */
  readonly others: ReadonlyMap<string, StoredFile>;
}

/** A share of an item's digests, while it is found out where the bodies are. */
export class SoughtDigests {
  readonly digests = new DigestSet();
  /** Whether an archive could not be read. Then nothing is said of what was not found. */
  isUnsure = false;

  constructor(
    readonly item: ItemArchives,
    readonly share: Share,
  ) {}

  get isOpen(): boolean {
    return !this.isUnsure && this.digests.lacking > 0;
  }
}
