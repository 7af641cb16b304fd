import type { JournalEntry, ToApi, ToChild } from '../protocol.js';

/** A journal entry before it has its number. */
export type NewEntry = JournalEntry extends infer E ? (E extends JournalEntry ? Omit<E, 'seq'> : never) : never;

type WithoutVersion<M> = M extends { v: unknown } ? Omit<M, 'v'> : never;
export type Outgoing = WithoutVersion<Exclude<ToApi, JournalEntry>>;

/**
 * The crawler's way to and from whoever runs it. Journalled entries survive a lost message and a dead API; the rest is
 * sent at best effort. The IPC implementation is for the forked child; another transport implements the same class.
 */
export abstract class Channel {
  abstract send(message: Outgoing): void;
  /** Resolves when the entry is in the journal (not necessarily received). */
  async journal(entry: NewEntry): Promise<void> {
    (await this.journalQuietly(entry))();
  }
  /** The same, but tells nobody before the returned function is called. */
  abstract journalQuietly(entry: NewEntry): Promise<() => void>;
  /** Journal entries are on disk when this resolves. */
  abstract sync(): Promise<void>;
  abstract onMessage(handler: (message: ToChild) => void): void;
  /** Called once when the other side is gone. */
  abstract onDisconnect(handler: () => void): void;
  abstract close(): Promise<void>;
}
