import { join } from 'node:path';
import { AppendLog, readLog } from '../base/append-log.js';
import { PROTOCOL_VERSION, WORK_FILES, type JournalEntry, type ToApi, type ToChild } from '../protocol.js';
import { Channel, type NewEntry, type Outgoing } from './channel.js';

/** Sends messages over the IPC pipe of the forked child and keeps the journal file. */
export class IpcChannel extends Channel {
  private log: AppendLog | null = null;
  private seq = 0;

  /** Opens the run's journal. Nothing can be journalled before. */
  async openJournal(dir: string): Promise<void> {
    const path = join(dir, WORK_FILES.events);
    this.log = await AppendLog.open(path);
    for await (const entry of readLog<JournalEntry>(path)) this.seq = entry.seq;
  }

  send(message: Outgoing): void {
    this.post({ v: PROTOCOL_VERSION, ...message } as ToApi);
  }

  async journalQuietly(entry: NewEntry): Promise<() => void> {
    const numbered = { seq: ++this.seq, ...entry } as JournalEntry;
    if (!this.log) throw new Error('the journal is not open');
    await this.log.append(numbered);
    return () => this.post({ v: PROTOCOL_VERSION, ...numbered });
  }

  async sync(): Promise<void> {
    await this.log?.sync();
  }

  onMessage(handler: (message: ToChild) => void): void {
    process.on('message', (message: ToChild) => {
      if (message?.v === PROTOCOL_VERSION) handler(message);
    });
  }

  onDisconnect(handler: () => void): void {
    process.once('disconnect', handler);
  }

  async close(): Promise<void> {
    await this.log?.close();
    if (process.connected) process.disconnect();
  }

  private post(message: ToApi): void {
    if (!process.connected) return;
    // A full or closed pipe loses only the message. The journal has everything that must not be lost.
    process.send?.(message, undefined, undefined, () => undefined);
  }
}
