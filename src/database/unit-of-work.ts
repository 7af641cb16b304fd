import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection } from 'mongoose';

/** An open transaction; passed to repository writes that belong together. */
export type Tx = ClientSession;

/** Writes what belongs into a transaction beside its work, such as the line of the audit log that tells of it. */
export interface Witness {
  /** A try of the transaction begins; what an earlier one told is void. */
  begin(): void;
  /** The work of this try is done and has changed something. */
  within(tx: Tx): Promise<void>;
  /** The transaction with what `within` wrote is stored. */
  committed(): void;
}

/** Finds who witnesses a transaction that begins now; null for nobody. */
export type WitnessFinder = () => Witness | null;

/** Runs changes of several documents all-or-nothing. The driver retries them on transient conflicts. */
@Injectable()
export class UnitOfWork {
  private witness: WitnessFinder = () => null;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Has whom it finds witness every transaction from now on. There is one finder, which a higher room sets. */
  witnessedBy(finder: WitnessFinder): void {
    this.witness = finder;
  }

  /**
   * Runs `work` in a transaction. `work` may run more than once, so it must have no effect outside the database. What it
   * returns says whether anything was changed: nothing, if it is `false` or `null`.
   */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const witness = this.witness();
    let isWitnessed = false;
    const result = await this.connection.withSession((session) =>
      session.withTransaction(async () => {
        witness?.begin();
        const value = await work(session);
        isWitnessed = value !== false && value !== null;
        if (isWitnessed) await witness?.within(session);
        return value;
      }),
    );
    if (isWitnessed) witness?.committed();
    return result;
  }
}
