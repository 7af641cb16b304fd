import type { JournalEntry, ToApi, ToChild } from '../protocol.js';

/** A journal entry without its number. */
export type NewEntry = JournalEntry extends infer E ? (E extends JournalEntry ? Omit<E, 'seq'> : never) : never;

type WithoutVersion<M> = M extends { v: unknown } ? Omit<M, 'v'> : never;
export type Outgoing = WithoutVersion<Exclude<ToApi, JournalEntry>>;

/**
 * Connects the crawler with the process that runs it. Journalled entries survive a lost message and a dead API. All
 * else is best effort. The IPC implementation is for a forked child; other transports may implement this class.
 */
export abstract class Channel {
  abstract send(message: Outgoing): void;
  /** Resolves when the entry is in the journal (not necessarily received). */
  async journal(entry: NewEntry): Promise<void> {
    (await this.journalQuietly(entry))();
  }
  /** Journals the entry, but reports it only when the returned function is called. */
  abstract journalQuietly(entry: NewEntry): Promise<() => void>;
  /** Resolves when the journal entries are on disk. */
  abstract sync(): Promise<void>;
  abstract onMessage(handler: (message: ToChild) => void): void;
  /** Calls the handler once when the other side is gone. */
  abstract onDisconnect(handler: () => void): void;
  abstract close(): Promise<void>;
}
