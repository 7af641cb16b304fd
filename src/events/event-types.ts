/**
 * Facts that rooms tell each other. Payloads carry ids and data that a later deletion would remove, never documents. A
 * room that needs a new fact adds it here.
 */
export interface EventPayloads {
  readonly 'user.renamed': { userId: string; name: string };
  readonly 'user.emailChanged': { userId: string; from: string; to: string };
  /** Accounts that were in the deleted org alone. */
  readonly 'users.deleted': { userIds: readonly string[] };
  /** Recorded with the crawl's document; `started` is its start as ISO 8601. */
  readonly 'crawl.created': {
    oid: string;
    crawlId: string;
    cid: string;
    manual: boolean;
    userId: string | null;
    userName: string | null;
    started: string;
  };
  /** Told only between states of an unfinished crawl; `crawl.finished` tells the last state. */
  readonly 'crawl.stateChanged': { oid: string; crawlId: string; cid: string; state: string };
  /** A quota, a read-only org or long rate limiting has paused a crawl. Told once until the crawl is resumed. */
  readonly 'crawl.autoPaused': { oid: string; crawlId: string; cid: string; state: string };
  /** A user changed the windows of a running crawl; its workflow adopts the number. */
  readonly 'crawl.scaled': {
    oid: string;
    crawlId: string;
    cid: string;
    browserWindows: number;
    userId: string;
    userName: string;
  };
  readonly 'crawl.started': { oid: string; crawlId: string; scheduled: boolean };
  /** `fileSize`: bytes of the files that stay stored. */
  readonly 'crawl.finished': { oid: string; crawlId: string; cid: string; state: string; fileSize: number };
  readonly 'crawl.reviewed': {
    oid: string;
    crawlId: string;
    reviewStatus: number | null;
    reviewStatusLabel: string;
    description: string | null;
  };
  readonly 'upload.finished': { oid: string; itemId: string; state: string };
  readonly 'item.deleted': {
    oid: string;
    itemId: string;
    type: 'crawl' | 'upload';
    cid: string | null;
    state: string;
    fileSize: number;
    collectionIds: string[];
  };
  readonly 'item.filesChanged': { oid: string; itemId: string };
  /** Pages of some or all items of the org were read again from their files. */
  readonly 'org.pagesReAdded': { oid: string };
  readonly 'qa.started': { oid: string; crawlId: string; qaRunId: string };
  readonly 'qa.finished': { oid: string; crawlId: string; qaRunId: string; state: string };
  readonly 'collection.itemsAdded': { oid: string; collectionId: string; itemIds: string[] };
  readonly 'collection.itemsRemoved': { oid: string; collectionId: string; itemIds: string[] };
  /** The dedupe index is gone; workflows forget it if that was asked for. */
  readonly 'collection.indexDeleted': { oid: string; collectionId: string };
  readonly 'collection.deleted': { oid: string; collectionId: string };
  /** A commit, or a crawl that saved the profile, wrote its file anew. */
  readonly 'profile.fileChanged': { oid: string; profileId: string };
}

export type EventType = keyof EventPayloads;

/** Facts that belong to an org. */
export type OrgFact = { [K in EventType]: EventPayloads[K] extends { oid: string } ? K : never }[EventType];

export interface DomainEvent<K extends EventType = EventType> {
  /** Stable id, by which listeners are idempotent. */
  readonly id: string;
  readonly type: K;
  readonly payload: EventPayloads[K];
  readonly created: Date;
  /** Position among all facts. It is exact for listeners that are told in order. See `orderOf`. */
  readonly order: number;
}
