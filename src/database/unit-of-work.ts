import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection } from 'mongoose';

/** An open transaction; passed to repository writes that belong together. */
export type Tx = ClientSession;

/** Runs changes of several documents all-or-nothing. The driver retries them on transient conflicts. */
@Injectable()
export class UnitOfWork {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Runs `work` in a transaction. `work` may run more than once, so it must have no effect outside the database. */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.connection.withSession((session) => session.withTransaction(() => work(session)));
  }
}
